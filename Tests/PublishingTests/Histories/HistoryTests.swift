import TestDatabase
import TestSupport
import Testing

@Suite("A history of feeds and their items", .databaseForEachTest)
struct HistoryTests {
    @Test("The published pages equal the naively computed ones", arguments: Seeds.fixed(7))
    func equivalence(seed: UInt64) async throws {
        try await Site.run("") { site in
            var history = try await History(site, seed: seed, items: 20, feeds: 40)
            for _ in 0..<10 { try await history.step() }
            try await history.finish()
        }
    }

    @Test(
        "The published pages equal the naively computed ones after transactions and due sections met later changes",
        arguments: Seeds.fixed(4))
    func parts(seed: UInt64) async throws {
        try await Site.run("") { site in
            var history = try await History(site, seed: seed, items: 20, feeds: 8, leavesParts: true)
            for _ in 0..<30 { try await history.step() }
            try await history.finish()
            // Other seeds draw larger limits.
            #expect(seed != 1 || history.partial > 0)
        }
    }
}
