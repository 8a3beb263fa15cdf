import TestDatabase
import TestSupport
import Testing

@Suite("Clients that follow published changes", .databaseForEachTest)
struct SyncHistoryTests {
    /// The fixed seeds in which some drains leave changes to the next one.
    private static let sharing: Set<UInt64> = [1, 4]

    @Test("A client has exactly the published content whenever it is reported to be up to date", arguments: Seeds.fixed(5))
    func convergence(seed: UInt64) async throws {
        try await SyncSite.run("") { site in
            var history = try SyncHistory(site, seed: seed)
            try await history.run(steps: 40)
            #expect(history.auditedItems > 0, "seed \(seed)")
            #expect(!Seeds.isFixed(seed, of: 5) || (history.comparisons > 50 && history.tailPages > 0), "seed \(seed)")
            #expect(history.shares > 0 || !Self.sharing.contains(seed), "seed \(seed)")
        }
    }

    @Test("A client has exactly the published content if imports and edits of the same items alternate", arguments: Seeds.fixed(3))
    func lanes(seed: UInt64) async throws {
        try await SyncSite.run("") { site in
            var history = try SyncHistory(site, imports: true, seed: seed)
            try await history.run(steps: 40)
            #expect(history.auditedItems > 0, "seed \(seed)")
            #expect(!Seeds.isFixed(seed, of: 3) || (history.comparisons > 14 && history.shares > 0), "seed \(seed)")
        }
    }

    @Test(
        "A copy has the same data as a new one whenever it is reported to be up to date, whatever changes the form of a storefront",
        arguments: Seeds.fixed(3))
    func form(seed: UInt64) async throws {
        try await SyncSite.run("") { site in
            var history = try SyncHistory(site, changesStorefronts: true, seed: seed)
            try await history.run(steps: 40)
            #expect(history.auditedItems > 0, "seed \(seed)")
            guard Seeds.isFixed(seed, of: 3) else { return }
            #expect(history.comparisons > 20 && history.reloads > 0 && history.tailPages > 0, "seed \(seed)")
        }
    }
}
