import Feeds
import TestSupport
import Testing
import Values

@testable import Publishing

@Suite("The share of the outbox that a drain takes")
struct OutboxShareTests {
    private static let limits = OutboxShare.Limits(edits: 10, imports: 10)

    private static func share(_ changes: [Int], maxEdits: Int = 10) -> OutboxShare {
        OutboxShare(
            of: changes.enumerated().map { .init(transaction: "t\($0.offset)", changes: $0.element) },
            OutboxShare.Limits(edits: maxEdits, imports: 10), .few)
    }

    /// Returns a share of these edits, which are older than the imports.
    private static func share(
        edits: [Int], imports: [Int], _ turn: OutboxShare.Turn = .few, due: DueSections.Turn = .none
    ) -> OutboxShare {
        let waiting =
            edits.enumerated().map { OutboxShare.Waiting(transaction: "e\($0.offset)", changes: $0.element) }
            + imports.enumerated().map { OutboxShare.Waiting(transaction: "i\($0.offset)", changes: $0.element, isImport: true) }
        return OutboxShare(of: waiting, limits, turn, due: due)
    }

    /// Returns such a share after it has taken its part of nine due sections, of which a drain composes at most eight.
    private static func shareOfDue(
        edits: [Int] = [], imports: [Int] = [], _ turn: OutboxShare.Turn = .few, due: DueSections.Turn = .last
    ) -> OutboxShare {
        var share = share(edits: edits, imports: imports, turn, due: due)
        share.leftDue = 9 - share.takeDue(of: 9, atMost: 8)
        return share
    }

    @Test("The share is everything that fits, or a single transaction of any size")
    func everything() {
        #expect(Self.share([]).isEverything)
        #expect(Self.share([4, 6]).isEverything)
        #expect(Self.share([1_000_000]).isEverything)
        #expect(Self.share([1_000_000]).changes == 1_000_000)
        #expect(Self.share([1_000, 10]).isEverything)
    }

    @Test("The share has the oldest transaction and the smallest others that fit, older ones first")
    func smallest() {
        let share = Self.share([10, 10, 10, 1, 3, 3, 3], maxEdits: 7)
        #expect(share.transactions == ["t0", "t3", "t4", "t5"] && share.changes == 17)
        #expect(Self.share([1_000, 11]).transactions == ["t0"])
    }

    @Test(
        "All edits are taken, however large they are and however many imports wait", arguments: [0, 1, 10, 10_000],
        [OutboxShare.Turn.few, .both])
    func edits(chunks: Int, turn: OutboxShare.Turn) {
        let share = Self.share(edits: [7, 3], imports: Array(repeating: 8, count: chunks), turn)
        let imported = chunks < 2 ? 8 * chunks : turn == .both ? 16 : 0
        #expect(share.taken == OutboxCounts(edits: 10, imports: imported))
        #expect(share.left == OutboxCounts(imports: 8 * chunks - imported))
        #expect(share.isEverything == (chunks < 2))
        #expect(share.turnAfterSuccess == (chunks >= 2 && turn == .few ? .both : .few))
        #expect(Self.share(edits: [5_000], imports: [1]).isEverything)
    }

    @Test("While many imports wait, edits are taken alone, and imports with the next share")
    func turns() {
        #expect(Self.share(edits: [1, 2], imports: [20, 20]).transactions == ["e0", "e1"])
        #expect(Self.share(edits: [1, 2], imports: [20, 20], .both).transactions == ["e0", "e1", "i0"])
        #expect(Self.share(edits: [], imports: [20, 20]).transactions == ["i0"])
        #expect(Self.share(edits: [1], imports: [1_000_000]).transactions == ["e0"])
        // A few imports delay no edit, and the head is complete sooner.
        #expect(Self.share(edits: [1], imports: [5, 5]).isEverything)
    }

    @Test("After a failure, the lanes take turns, however few imports wait")
    func failure() {
        let failed = Self.share(edits: [1, 2], imports: [3])
        #expect(failed.isEverything && failed.turnAfterFailure == .edits)
        let edits = Self.share(edits: [1, 2], imports: [3], .edits)
        #expect(edits.transactions == ["e0", "e1"] && edits.left == OutboxCounts(imports: 3))
        #expect(edits.turnAfterSuccess == .imports && edits.turnAfterFailure == .imports)
        let imports = Self.share(edits: [1, 2], imports: [20, 20], .imports)
        #expect(imports.transactions == ["i0"] && imports.left == OutboxCounts(edits: 3, imports: 20))
        #expect(imports.turnAfterSuccess == .few && imports.turnAfterFailure == .edits)
    }

    @Test("After a failure, a lane that waits alone is taken, and both again when no imports are left")
    func alone() {
        #expect(Self.share(edits: [], imports: [3], .edits).isEverything && Self.share(edits: [1], imports: [], .imports).isEverything)
        #expect(Self.share(edits: [], imports: [20, 20], .edits).turnAfterSuccess == .few)
        #expect(Self.share(edits: [1], imports: [], .edits).turnAfterSuccess == .few)
        #expect(Self.share(edits: [11, 5], imports: [3], .edits).turnAfterSuccess == .imports)
    }

    @Test("A share has due sections or many imports, in turn")
    func due() {
        let imports = Self.shareOfDue(imports: [20, 20])
        #expect(imports.transactions == ["i0"] && !imports.takesDue && imports.turnAfterSuccess == .few)
        let sections = Self.shareOfDue(imports: [20, 20], due: .next)
        #expect(sections.transactions == [] && sections.takesDue && sections.turnAfterSuccess == .few)
        let few = Self.shareOfDue(imports: [5], due: .next)
        #expect(few.isEverything && few.takesDue && !few.isComplete)
        #expect(Self.shareOfDue().takesDue)
    }

    @Test("While many sections are due, edits are taken alone, and a part of the sections with the next share")
    func edits() {
        let alone = Self.shareOfDue(edits: [1])
        #expect(alone.isEverything && !alone.takesDue && !alone.isComplete && alone.turnAfterSuccess == .both)
        let both = Self.shareOfDue(edits: [1], .both)
        #expect(both.isEverything && both.takesDue && both.turnAfterSuccess == .few)
        // A few imports are no substitute, or a stream of them and of edits would stop due sections.
        let few = Self.shareOfDue(edits: [1], imports: [5])
        #expect(few.isEverything && !few.takesDue && few.turnAfterSuccess == .both)
        #expect(!Self.shareOfDue(edits: [1], imports: [20], .both).takesDue)
        #expect(Self.shareOfDue(edits: [1], imports: [20], .both, due: .next).takesDue)
        var last = Self.share(edits: [1], imports: [], due: .last)
        #expect(last.takeDue(of: 8, atMost: 8) == 8 && last.isComplete)
    }

    @Test("Of overdue sections, eight parts are taken, if the share has everything else")
    func overdue() {
        func taken(edits: [Int] = [], imports: [Int] = [], _ turn: OutboxShare.Turn = .few, hasFailed: Bool = false) -> Int {
            var share = Self.share(edits: edits, imports: imports, turn, due: .last)
            return share.takeDue(of: 90, atMost: 8, hasFailed: hasFailed, areOverdue: true)
        }
        #expect(taken() == 64 && taken(imports: [5]) == 64 && taken(imports: [20]) == 64)
        #expect(taken(imports: [20, 20]) == 0)
        #expect(taken(edits: [1]) == 0 && taken(edits: [1], .both) == 64)
        #expect(taken(hasFailed: true) == 1)
    }

    @Test("A few imports are published with the sections that they affect, if no edits wait")
    func fewImports() {
        func taken(edits: [Int] = [], imports: [Int], _ turn: OutboxShare.Turn = .few, hasFailed: Bool = false) -> Int {
            var share = Self.share(edits: edits, imports: imports, turn)
            return share.takeDue(of: 90, atMost: 8, hasFailed: hasFailed)
        }
        #expect(taken(imports: [2]) == 64 && taken(imports: [1, 1]) == 64)
        #expect(taken(imports: [3]) == 8 && taken(imports: [2, 1]) == 8 && taken(imports: [1, 20]) == 8)
        #expect(taken(edits: [1], imports: [2]) == 0 && taken(edits: [1], imports: [2], .both) == 8)
        #expect(taken(imports: [2], hasFailed: true) == 0)
    }

    @Test("Sections are overdue if imports have long added some while others were due, and again after a backlog of imports or a failure")
    func overdueTime() throws {
        let feed = StorefrontFeed(storefront: "us", feed: "today")
        let keys = try (0..<15).map { try #require(SectionKey("s\($0)")) }
        var due = DueSections()
        /// Whether the sections are overdue in a drain whose imports affect those up to a number.
        func overdue(_ seconds: Int, _ count: Int, left: Int = 0) -> Bool {
            let time = Timestamp.epoch.advanced(by: .seconds(seconds))
            due.insert([feed: Array(keys.prefix(count))], at: time)
            let isOverdue = due.areOverdue(at: time, after: .seconds(30))
            due.noteSuccess(of: Self.share(edits: [], imports: left == 0 ? [5] : [20, left]))
            return isOverdue
        }
        // One import, whatever the time until its sections are composed.
        #expect(!overdue(0, 3) && !overdue(100, 3) && !overdue(200, 0))
        #expect(!overdue(210, 4) && !overdue(239, 5) && !overdue(245, 5) && overdue(246, 6))
        #expect(overdue(250, 7, left: 20) && !overdue(300, 8) && !overdue(329, 9) && overdue(330, 10))
        // The clock can move back.
        #expect(!overdue(280, 11) && !overdue(309, 12) && overdue(310, 13))
        due.noteFailure(of: Self.shareOfDue(), composing: [feed: Set(keys)])
        #expect(!overdue(500, 14) && overdue(530, 15))
        due.keep([], in: feed)
        #expect(!overdue(600, 0) && !overdue(700, 15))
    }

    @Test("After a failure, due sections take turns with edits")
    func failureOfDue() {
        #expect(Self.shareOfDue(edits: [1], .both).turnAfterFailure == .edits)
        let edits = Self.shareOfDue(edits: [1], .edits)
        #expect(edits.taken.edits == 1 && !edits.takesDue)
        #expect(edits.turnAfterSuccess == .imports && edits.turnAfterFailure == .imports)
        let sections = Self.shareOfDue(edits: [1], .imports)
        #expect(sections.transactions == [] && sections.takesDue)
        #expect(sections.turnAfterSuccess == .few && sections.turnAfterFailure == .edits)
    }

    @Test("A lane whose changes cannot be published does not stop the other", arguments: [false, true])
    func stopped(areImports: Bool) {
        var turn = OutboxShare.Turn.few
        var published = 0
        for _ in 0..<100 {
            let share = Self.share(edits: [1], imports: [3], turn)
            let isFailed = areImports ? share.taken.imports > 0 : share.taken.edits > 0
            if !isFailed { published += 1 }
            turn = isFailed ? share.turnAfterFailure : share.turnAfterSuccess
        }
        #expect(published == (areImports ? 50 : 33))
    }

    @Test("Edits, imports and due sections do not stop each other, whatever waits", arguments: Seeds.fixed(1))
    func lanes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let feed = StorefrontFeed(storefront: "us", feed: "today")
        var (waiting, due, turn): ([OutboxShare.Waiting], DueSections, OutboxShare.Turn) = ([], DueSections(), .few)
        // The number of drains since the last one with an import or with due sections, while any wait.
        var (withoutImports, withoutDue) = (0, 0)
        for step in 0..<500 {
            if Bool.random(using: &random) { waiting.append(.init(transaction: "e\(step)", changes: 1)) }
            if Int.random(in: 0...2, using: &random) == 0 {
                waiting.append(.init(transaction: "i\(step)", changes: Bool.random(using: &random) ? 1 : 20, isImport: true))
            }
            let (hasImports, hasDue) = (waiting.contains(where: \.isImport), due.count > 0)
            var share = OutboxShare(of: waiting, Self.limits, turn, due: due.turn)
            if share.taken.imports > 0 {
                for number in 0..<5 { due.insert(try #require(SectionKey("s\(step)-\(number)")), in: feed) }
            }
            let composed = Set(due.sections.prefix(share.takeDue(of: due.count, atMost: 8)))
            due.removeAll { composed.contains($0) }
            share.leftDue = due.count
            due.noteSuccess(of: share)
            turn = share.turnAfterSuccess
            withoutImports = !hasImports || share.taken.imports > 0 ? 0 : withoutImports + 1
            withoutDue = !hasDue || !composed.isEmpty ? 0 : withoutDue + 1
            #expect(share.left.edits == 0 && withoutImports <= 3 && withoutDue <= 3, "seed \(seed)")
            #expect(composed.isEmpty || !share.takesManyImports, "seed \(seed)")
            let used = Set(share.transactions ?? waiting.map(\.transaction))
            waiting.removeAll { used.contains($0.transaction) }
        }
    }

    enum Failing: CaseIterable {
        case edits, imports, section
    }

    @Test("A lane or a due section that always fails does not stop the others", arguments: Seeds.fixed(1), Failing.allCases)
    func failures(seed: UInt64, failing: Failing) throws {
        var random = SeededRandom(seed: seed)
        let feed = StorefrontFeed(storefront: "us", feed: "today")
        let bad = DueSections.Section(storefrontFeed: feed, key: try #require(SectionKey("bad")))
        var (waiting, due, turn): ([OutboxShare.Waiting], DueSections, OutboxShare.Turn) = ([], DueSections(), .few)
        // Imports that always fail make none due.
        for number in 0..<200 { due.insert(try #require(SectionKey("s\(number)")), in: feed) }
        // The number of drains since the last that published an edit, an import or a section, while any of them waits.
        var (withoutEdits, withoutImports, withoutDue) = (0, 0, 0)
        for step in 0..<500 {
            if Bool.random(using: &random) { waiting.append(.init(transaction: "e\(step)", changes: 1)) }
            if Int.random(in: 0...2, using: &random) == 0 {
                waiting.append(.init(transaction: "i\(step)", changes: Bool.random(using: &random) ? 1 : 20, isImport: true))
            }
            let before = due
            let (hasEdits, hasImports) = (waiting.contains { !$0.isImport }, waiting.contains(where: \.isImport))
            let hasDue = due.sections.contains { $0 != bad }
            var share = OutboxShare(of: waiting, Self.limits, turn, due: due.turn)
            if share.taken.imports > 0 {
                for number in 0..<3 { due.insert(try #require(SectionKey("s\(step)-\(number)")), in: feed) }
                due.insert(bad.key, in: feed)
            }
            let composed = Set(due.sections.prefix(share.takeDue(of: due.count, atMost: 8, hasFailed: due.hasFailed)))
            due.removeAll { composed.contains($0) }
            share.leftDue = due.count
            let isFailed =
                switch failing {
                case .edits: share.taken.edits > 0
                case .imports: share.taken.imports > 0
                case .section: composed.contains(bad)
                }
            if isFailed {
                due = before
                due.noteFailure(of: share, composing: [feed: Set(composed.map(\.key))])
                turn = share.turnAfterFailure
            } else {
                due.noteSuccess(of: share)
                turn = share.turnAfterSuccess
                let used = Set(share.transactions ?? waiting.map(\.transaction))
                waiting.removeAll { used.contains($0.transaction) }
            }
            withoutEdits = !hasEdits || !isFailed && share.taken.edits > 0 ? 0 : withoutEdits + 1
            withoutImports = !hasImports || !isFailed && share.taken.imports > 0 ? 0 : withoutImports + 1
            withoutDue = !hasDue || !isFailed && share.takesDue ? 0 : withoutDue + 1
            #expect(failing == .edits || withoutEdits <= 2, "seed \(seed)")
            #expect(failing == .imports || withoutImports <= 10, "seed \(seed)")
            #expect(withoutDue <= 20, "seed \(seed)")
        }
    }

    @Test("Every transaction is taken in time, however many small ones arrive", arguments: Seeds.fixed(1), [false, true])
    func progress(seed: UInt64, areImports: Bool) {
        var random = SeededRandom(seed: seed)
        var waiting: [OutboxShare.Waiting] = []
        // The number of drains that left a transaction, and of the transactions before it.
        var (drains, before): ([String: Int], [String: Int]) = ([:], [:])
        var turn = OutboxShare.Turn.few
        for step in 0..<500 {
            for number in 0..<Int.random(in: 1...2, using: &random) {
                let isLarge = Int.random(in: 0...20, using: &random) == 0
                before["\(step).\(number)"] = waiting.count
                waiting.append(.init(transaction: "\(step).\(number)", changes: isLarge ? 5_000 : 30, isImport: areImports && isLarge))
            }
            let share = OutboxShare(of: waiting, OutboxShare.Limits(edits: 100, imports: 100), turn)
            turn = share.turnAfterSuccess
            let used = Set(share.transactions ?? waiting.map(\.transaction))
            let oldest = waiting.first { !$0.isImport }
            #expect(oldest.map { used.contains($0.transaction) } ?? true, "seed \(seed)")
            #expect(share.taken.edits <= 5_100 && share.taken.imports <= 5_100, "seed \(seed)")
            for left in waiting where !used.contains(left.transaction) { drains[left.transaction, default: 0] += 1 }
            waiting.removeAll { used.contains($0.transaction) }
        }
        // Every second share can be one of edits alone.
        #expect(drains.allSatisfy { $0.value <= (areImports ? 2 : 1) * (before[$0.key] ?? 0) + (areImports ? 1 : 0) }, "seed \(seed)")
    }
}
