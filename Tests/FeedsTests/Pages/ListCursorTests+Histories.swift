import Feeds
import TestSupport
import Testing
import Values

extension ListCursorTests {
    @Test(
        "A cursor outlives every publication that keeps the rule, the sort and the grouping of its list",
        arguments: ListHistory.firstSeeds)
    func histories(first: UInt64) throws {
        var ends: [ListCursor.Position: Int] = [:]
        var takeovers: [ListHistory.Takeover: Int] = [:]
        for seed in first..<first + 500 {
            var history = try ListHistory(seed: seed, items: ListHistory.items(of: seed))
            for _ in 0..<12 { try history.step() }
            ends.merge(history.ends) { $0 + $1 }
            for takeover in history.takeovers { takeovers[takeover, default: 0] += 1 }
            try #require(history.issues.isEmpty, "seed \(seed): \(history.issues.joined(separator: "; "))")
        }
        for end in [ListCursor.Position.listChanged, .sectionGone] {
            #expect(ends[end, default: 0] > 50, "\(end) is rare")
        }
        for takeover in ListHistory.Takeover.allCases {
            #expect(takeovers[takeover, default: 0] > 50, "a takeover with \(takeover) is rare")
        }
    }

    @Test("While 50 publications change other sections, a client meets each of 500 items once", arguments: Seeds.fixed(3))
    func otherSections(seed: UInt64) throws {
        var history = try ListHistory(seed: seed, items: 500)
        let list = try history.entries(in: .english).map(\.item)
        var (seen, cursor) = ([UUID](), ListCursor?.none)
        for publication in 1...50 {
            let part = try history.read(after: cursor, limit: (list.count + 49) / 50, in: .english)
            seen += part.items
            cursor = part.next
            if cursor == nil { break }
            try #require(publication < 50, "seed \(seed)")
            history.changeOthers()
            try history.publish()
        }
        #expect(seen == list, "seed \(seed)")
    }

    @Test("If no item of a list stays, its cursors end")
    func otherItems() throws {
        var history = try ListHistory(seed: 1, items: 20)
        let cursor = try #require(try history.read(after: nil, limit: 5, in: .english).next)
        try history.replaceItems(by: 20)
        #expect(cursor.position(in: history.section?.list) == .listChanged)
    }

    @Test("If all keys are assigned again, the cursor ends, because the items after it are unknown")
    func newKeys() throws {
        var history = try ListHistory(seed: 1, items: 20)
        try history.insert(at: 1)
        let cursor = try #require(try history.read(after: nil, limit: 5, in: .english).next)
        let generation = history.section?.list?.generation
        var count = 0
        while history.section?.list?.generation == generation {
            #expect(cursor.position(in: history.section?.list) != .listChanged)
            try #require(count < 500, "the keys are never assigned again")
            try history.insert(at: 1)
            count += 1
        }
        #expect(cursor.position(in: history.section?.list) == .listChanged)
        #expect(count > 20, "keys are assigned again after \(count) insertions at one place")
    }
}
