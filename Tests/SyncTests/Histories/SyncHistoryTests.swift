import TestDatabase
import TestSupport
import Testing

@Suite("Clients that follow what is published", .databaseForEachTest)
struct SyncHistoryTests {
    /// The fixed seeds with drains that leave something for the next.
    private static let sharing: Set<UInt64> = [1, 5]

    @Test("have exactly what there is whenever they are told that they do", arguments: Seeds.fixed(5))
    func convergence(seed: UInt64) async throws {
        try await SyncSite.run("") { site in
            var history = try SyncHistory(site, seed: seed)
            try await history.run(steps: 40)
            #expect(history.comparisons > 50, "seed \(seed)")
            #expect(history.shares > 0 || !Self.sharing.contains(seed), "seed \(seed)")
        }
    }
}
