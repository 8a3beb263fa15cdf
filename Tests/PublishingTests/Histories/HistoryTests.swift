import TestDatabase
import TestSupport
import Testing

@Suite("A history of 40 feeds in 10 steps", .databaseForEachTest)
struct HistoryTests {
    @Test("The published pages equal the naively computed ones", arguments: Seeds.fixed(7))
    func equivalence(seed: UInt64) async throws {
        try await Site.run("") { site in
            var history = try await History(site, seed: seed, items: 20, feeds: 40)
            for _ in 0..<10 { try await history.step() }
            try await history.finish()
        }
    }
}
