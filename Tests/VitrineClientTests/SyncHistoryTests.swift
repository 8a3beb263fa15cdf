import TestSupport
import Testing

@testable import VitrineClient

@Suite("The local copy of a server with a history")
struct SyncHistoryTests {
    @Test("The copy converges through concurrent writes, purges, forks, lost responses and restarts", arguments: Seeds.fixed(400))
    func converges(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var settings = DrawnSettings(seed: seed)
        let limit = settings.draw("limit", default: 100, or: [1, 2, 5])
        var server = ModelServer()
        server.isComplete = seed % 4 != 3
        server.write(80, using: &random)
        var follower = SyncEngine(.testing, limit: limit, wait: 25)
        var stored = LocalCopy.testing
        for step in 0..<300 {
            try Self.step(&follower, &stored, &server, &random)
            if step < 220 { disturb(&server, &random) }
            if Int.random(in: 0..<40, using: &random) == 0 {
                // A process that was killed continues with the state of its file.
                #expect(stored.state == follower.copy.state, "\(settings)")
                follower = SyncEngine(Bool.random(using: &random) ? stored : stored.reread, limit: limit, wait: 25)
                #expect(stored.state == follower.copy.state, "\(settings)")
            }
        }
        var rest = 0
        while !follower.isUpToDate, rest < 500 {
            try Self.step(&follower, &stored, &server, &random)
            rest += 1
        }
        #expect(follower.isUpToDate && !follower.copy.needsRepair, "\(settings)")
        let (mine, theirs) = (follower.copy.content, server.content)
        #expect(mine == theirs, "\(settings): \(Set(mine.keys).symmetricDifference(theirs.keys)), \(server.expiries)")
        #expect(follower.copy.count == server.content.count)
        for (key, row) in server.rows where row.hash != nil { #expect((follower.copy.entries[key]?.version ?? 0) <= row.version) }
    }

    private static func step(
        _ follower: inout SyncEngine, _ stored: inout LocalCopy, _ server: inout ModelServer, _ random: inout SeededRandom
    ) throws {
        guard case .send(let request) = follower.next() else { return }
        var response = server.respond(request, using: &random)
        switch Int.random(in: 0..<25, using: &random) {
        case 0: response = .unreachable("lost")
        case 1: response = .response(status: 503, retryAfter: 1, body: [])
        case 2:
            if case .response(200, _, let body) = response { response = .response(status: 200, retryAfter: nil, body: body.dropLast(5)) }
        default: break
        }
        for edit in try follower.handle(response, using: &random).edits { stored.apply(edit) }
    }

    private func disturb(_ server: inout ModelServer, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<60, using: &random) {
        case 0: server.purge()
        case 1...4: server.backUp()
        case 5: server.restore(using: &random)
        case 6...40: server.write(Int.random(in: 1...4, using: &random), using: &random)
        default: break
        }
    }

    @Test("Damage is detected by digests and repaired by buckets during concurrent writes")
    func damage() throws {
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var server = ModelServer()
            server.write(150, ids: 100, using: &random)
            var follower = SyncEngine(.testing)
            var stored = LocalCopy.testing
            while !follower.isUpToDate { try Self.step(&follower, &stored, &server, &random) }
            var damaged = follower.copy
            for (key, entry) in follower.copy.entries.sorted(by: { $0.key < $1.key }) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: damaged.apply(.repair(key, version: entry.version, nil))
                case 1: damaged.apply(.repair(key, version: entry.version, CopyContent(hash: "x", data: nil)))
                default: break
                }
            }
            damaged.apply(.repair(EntityKey(kind: "item", id: "ghost"), version: 3, CopyContent(hash: "g", data: nil)))
            follower = SyncEngine(damaged)
            _ = follower.requestVerification()
            var loads = 0
            for _ in 0..<60 {
                if case .send(let request) = follower.next() {
                    if case .page(nil, _, _) = request { loads += 1 }
                    _ = try follower.handle(server.respond(request, using: &random), using: &random)
                }
                server.write(1, ids: 100, using: &random)
            }
            #expect(!follower.copy.needsRepair && loads == 0, "seed \(seed)")
            for _ in 0..<10 { try Self.step(&follower, &stored, &server, &random) }
            while !follower.isUpToDate { try Self.step(&follower, &stored, &server, &random) }
            #expect(follower.copy.content == server.content, "seed \(seed)")
        }
    }
}
