import EventLoop
import Feeds
import Postgres
import Publishing
import SQLFiles
import Security
import TestDatabase
import Testing

@Suite("A database from before there were feeds")
struct UpgradeTests {
    private static func runner(_ count: Int) throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(Array(SQLFiles.migrations.sorted { $0.name < $1.name }.prefix(count)), digest: Digest.sha256))
    }

    @Test("knows when its items come and go")
    func bounds() async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(7).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
                        + """
                        SELECT pg_temp.food_app('d', '{"en": "Dish"}', storefront => 'us', during => '{[2030-01-01,2030-02-01), [2030-03-01,)}'),
                            pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us'), pg_temp.food_app('f', '{"en": "Fig"}');
                        """)
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                let bounds = try await site.rows(
                    "SELECT slug || ' ' || (moment AT TIME ZONE 'UTC')::date FROM vitrine.availability_bounds JOIN vitrine.items ON id = item_id ORDER BY moment"
                )
                #expect(bounds == ["d 2030-01-01", "d 2030-02-01", "d 2030-03-01"])
            }
        }
    }
}
