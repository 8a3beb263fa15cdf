import EventLoop
import Feeds
import Items
import JSON
import Postgres
import Publishing
import SQLFiles
import Security
import TestDatabase
import Testing

@Suite("The upgrade of an older database")
struct UpgradeTests {
    private static func runner(_ count: Int) throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(Array(SQLFiles.migrations.sorted { $0.name < $1.name }.prefix(count)), digest: Digest.sha256))
    }

    @Test("The availability changes of items are added to a database without feeds")
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

    @Test("A migration writes items in the current form, each with the next version, before pending changes are published")
    func documents() async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(14).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + Audit.script
                        + """
                        SELECT pg_temp.top_app('a' || n, jsonb_build_object('en', 'App ' || n), rating => 4, ratings => n) FROM generate_series(1, 20) AS n;
                        SELECT pg_temp.food_app('d', '{"en": "Dish"}', storefront => 'us', during => '{[2020-01-01,2099-02-01)}');
                        SELECT pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us');
                        UPDATE items SET deleted_at = now() WHERE slug = 'a20';
                        """)
                try await site.publish(TwoSequencersTests.feed)
                // The sequencer of this program stands for an older one, but needs objects of later migrations. A transaction cannot
                // use a new value of an enum.
                for kind in ["list", "entry"] { try await site.sql("ALTER TYPE vitrine.published_kind ADD VALUE '\(kind)'") }
                try await site.sql(
                    """
                    CREATE TABLE vitrine.retained_sections (
                        storefront text, feed text, section text, reason text, PRIMARY KEY (feed, section, storefront));
                    ALTER TABLE vitrine.sync_outbox ADD COLUMN change_count integer
                        GENERATED ALWAYS AS (coalesce(cardinality(ids), cardinality(keys))) STORED
                    """)
                var sequencer = try site.sequencer()
                let head = try await sequencer.drain(connection, until: .soon).head
                await #expect(throws: JSONError.self) { try await site.visibleItems("today") }
                try await site.sql(
                    "SELECT pg_temp.top_app('late', '{\"en\": \"Late\"}'); UPDATE item_texts SET title = 'Changed' WHERE title = 'App 3'")
                try await site.sql("DROP TABLE vitrine.retained_sections; ALTER TABLE vitrine.sync_outbox DROP COLUMN change_count")
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                #expect(try await site.rows("SELECT version || ' ' || is_complete FROM vitrine.sync_head") == ["\(head + 21) false"])
                #expect(try await site.visibleItems("today")["today/hero"] == ["a19", "a18", "a17", "a16", "a15"])
                let snapshot = try #require(try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today")))
                #expect(snapshot.items.values.first { $0.slug == "a3" }?.content.texts.first?.title == "Changed")
                try await Audit.check(site)
                let buckets = "SELECT storefront || bucket || entries || high || low FROM"
                let counted = "\(buckets) vitrine.counted_buckets(0, 65536) EXCEPT \(buckets) vitrine.sync_buckets"
                #expect(try await site.rows(counted) == [])
                #expect(try await site.rows("SELECT is_complete::text FROM vitrine.sync_head") == ["true"])
                #expect(try await site.visibleItems("today")["today/all"]?.contains("late") == true)
            }
        }
    }
}
