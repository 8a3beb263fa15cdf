import TestDatabase
import TestSupport
import Testing

@Suite("A thousand histories of feeds", .databaseForEachTest)
struct HistoryTests {
    @Test("are published as a look at everything expects them, whatever happens", arguments: Seeds.fixed(7))
    func equivalence(seed: UInt64) async throws {
        try await Shop.run("") { shop in
            var history = try await History(shop, seed: seed, items: 20, feeds: 40)
            for _ in 0..<10 { try await history.step() }
            try await history.finish()
        }
    }
}
