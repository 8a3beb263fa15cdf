import EventLoop
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import Catalog

@Suite("What is derived of an item", .databaseForEachTest)
struct SettlingTests {
    @Test("has what both of two transactions have written that touched different rows of it at once")
    func concurrent() async throws {
        try await Fixture.runWithAnother("SELECT pg_temp.top_app('a', '{\"en\": \"Harbor\"}')") { connection, other, reader async throws in
            // Derived, not yet committed: the other transaction sees the old title until then.
            try await connection.runScript(
                "rename", "BEGIN; UPDATE item_texts SET title = 'Lighthouse'; SET CONSTRAINTS items_are_settled IMMEDIATE", until: .soon)
            async let priced: Void = other.runScript(
                "price", "INSERT INTO vitrine.item_prices SELECT id, 'us', 'price', 99, 'USD' FROM vitrine.items", until: .soon)
            let waiting = PostgresQuery("waiting", "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            let limit = Deadline.soon
            while try await connection.rows(of: waiting, as: Bool.self, until: .soon) == [false] { try #require(Deadline.now < limit) }
            try await connection.runScript("commit", "COMMIT", until: .soon)
            try await priced
            #expect(try await reader.found("lighthouse") == ["a"])
            #expect(try await reader.found("harbor").isEmpty)
            var filter = ItemFilter()
            filter.price = .paid
            #expect(try await reader.slugs(filter, by: .rating) == ["a"])
        }
    }

    @Test("is the same as if all had been written anew, whatever was changed before", arguments: [UInt64.random(in: 0 ... .max)])
    func anew(seed: UInt64) async throws {
        let changes = [
            "UPDATE items SET rating_average = 3, rating_count = 70 WHERE slug = 'a'",
            "UPDATE items SET deleted_at = now() WHERE slug = 'b'",
            "UPDATE items SET deleted_at = NULL WHERE slug = 'b'", "DELETE FROM items WHERE slug = 'c'",
            "UPDATE item_texts SET title = title || ' more', locale = 'de' WHERE item_id = md5('a')::uuid",
            "DELETE FROM item_categories WHERE category = 'games'",
            "INSERT INTO item_categories SELECT id, 'games', 2 FROM items WHERE kind = 'topApp' ON CONFLICT (item_id, category) DO NOTHING",
            "UPDATE items SET is_everywhere = false WHERE slug = 'a'", "UPDATE top_apps SET platforms = '{linux}', developer = 'Pier'",
            "UPDATE item_availability SET during = '{[2026-01-01,2027-01-01)}'", "UPDATE item_availability SET storefront = 'de'",
            "UPDATE items SET id = md5(slug || version)::uuid, version = version + 1 WHERE slug = 'd'",
        ]
        var random = SeededRandom(seed: seed)
        let order = changes.shuffled(using: &random)
        let script = """
            SELECT pg_temp.top_app('a', '{"en": "A"}'), pg_temp.top_app('b', '{"en": "B"}'), pg_temp.top_app('c', '{"en": "C"}');
            SELECT pg_temp.food_app('d', '{"en": "D"}', storefront => 'us');
            """
        try await Fixture.run(script) { connection, _ async throws in
            for change in order { try await connection.runScript("change", change, until: .soon) }
            let derived = PostgresQuery(
                "derived",
                """
                SELECT 'listing ' || listings::text FROM vitrine.listings
                UNION ALL SELECT 'count ' || listing_counts::text FROM vitrine.listing_counts WHERE items <> 0
                UNION ALL SELECT 'document ' || search_documents::text FROM vitrine.search_documents
                ORDER BY 1
                """)
            let before = try await connection.rows(of: derived, as: String.self, until: .soon)
            try await connection.runScript(
                "anew",
                """
                DELETE FROM listings; DELETE FROM listing_counts; DELETE FROM search_documents;
                UPDATE items SET version = version
                """, until: .soon)
            #expect(try await connection.rows(of: derived, as: String.self, until: .soon) == before, "seed \(seed)")
            #expect(!before.isEmpty)
        }
    }
}
