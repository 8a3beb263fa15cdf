import EventLoop
import Postgres
import TestDatabase
import Testing
import Values

@testable import Catalog
@testable import Items

@Suite("The outbox", .databaseForEachTest)
struct OutboxTests {
    private struct Notification: Equatable {
        let kind: String
        let ids: [UUID]?
        let keys: [String]?
    }

    /// Returns and removes the notifications since the last call.
    private func reported(_ connection: PostgresConnection) async throws -> [Notification] {
        let query = PostgresQuery("told", "DELETE FROM vitrine.sync_outbox RETURNING kind, ids, keys")
        return try await connection.rows(of: query, as: String.self, [UUID]?.self, [String]?.self, until: .soon).map {
            Notification(kind: $0, ids: $1, keys: $2)
        }
    }

    private func run(_ connection: PostgresConnection, _ sql: String) async throws {
        try await connection.runScript("change", "BEGIN; \(sql); COMMIT", until: .soon)
    }

    private func id(_ connection: PostgresConnection, _ name: String) async throws -> UUID {
        let ids = try await connection.rows(of: PostgresQuery("id", "SELECT md5($1::text)::uuid", name), as: UUID.self, until: .soon)
        return try #require(ids.first)
    }

    @Test("A transaction adds an item once, whichever of its rows it writes")
    func once() async throws {
        try await Fixture.run { connection, _ async throws in
            _ = try await reported(connection)
            try await run(connection, "SELECT pg_temp.top_app('a', '{\"en\": \"A\"}')")
            let a = try await id(connection, "a")
            #expect(try await reported(connection) == [Notification(kind: "item", ids: [a], keys: nil)])
            for change in [
                "UPDATE items SET rating_average = 4, rating_count = 9", "UPDATE top_apps SET developer = 'Pier'",
                "UPDATE item_texts SET title = 'B'", "INSERT INTO item_categories SELECT id, 'games', 2 FROM items",
                "DELETE FROM item_categories WHERE rank = 2", "INSERT INTO item_prices SELECT id, 'us', 'price', 1, 'USD' FROM items",
                "INSERT INTO item_price_periods SELECT id, 'us', 'price', '[2030-01-01,2030-02-01)', 1, 'USD', 2 FROM items",
                "UPDATE item_price_periods SET former_minor = 3", "UPDATE item_price_periods SET during = '[2030-01-02,2030-02-01)'",
                "DELETE FROM item_price_periods",
                "INSERT INTO item_images SELECT id, 'hero', 0, '', 'light', '/{w}/{h}', 16, 9, '{}' FROM items",
                "INSERT INTO item_images (item_id, role, locale, template) SELECT id, 'hero', 'de', '/de/{w}/{h}' FROM items",
                "INSERT INTO item_images (item_id, role, locale, alt) SELECT id, 'hero', 'fr', 'Port' FROM items",
                "UPDATE item_images SET alt = 'Quai' WHERE locale = 'fr'", "DELETE FROM item_images WHERE locale = 'fr'",
                "INSERT INTO item_images (item_id, role, appearance, template) SELECT id, 'hero', 'dark', '/dark/{w}/{h}' FROM items",
                "UPDATE item_images SET template = '/other/{w}/{h}'", "UPDATE item_images SET role = 'banner'",
                "INSERT INTO item_images SELECT id, 'hero', 0, '', 'light', '/{w}/{h}', 16, 9, '{}' FROM items",
                "DELETE FROM item_images WHERE role = 'banner'", "DELETE FROM item_images",
                "UPDATE items SET is_everywhere = false; INSERT INTO item_availability SELECT id, 'us', '{(,)}' FROM items",
            ] {
                try await run(connection, change)
                #expect(try await reported(connection) == [Notification(kind: "item", ids: [a], keys: nil)], "\(change)")
            }
        }
    }

    @Test("A rollback and a statement without written rows add nothing")
    func silence() async throws {
        try await Fixture.run { connection, _ async throws in
            _ = try await reported(connection)
            try await connection.runScript("undo", "BEGIN; SELECT pg_temp.top_app('a', '{\"en\": \"A\"}'); ROLLBACK", until: .soon)
            try await run(connection, "UPDATE items SET version = 2; DELETE FROM categories WHERE false")
            #expect(try await reported(connection).isEmpty)
        }
    }

    @Test("The database accepts a row only with 1 to 1,000 IDs or keys")
    func rows() async throws {
        try await Fixture.run { connection, _ async throws in
            let ids = "(SELECT array_agg(md5(n::text)::uuid) FROM generate_series(1, %) AS n)"
            let keys = "(SELECT array_agg('c' || n) FROM generate_series(1, %) AS n)"
            let valid = [
                "\(ids.replacing("%", with: "1000")), NULL", "NULL, \(keys.replacing("%", with: "1000"))", "'{NULL}', NULL", "NULL, '{a}'",
            ]
            for values in valid { try await run(connection, "INSERT INTO sync_outbox (kind, ids, keys) SELECT 'item', \(values)") }
            let invalid = [
                "\(ids.replacing("%", with: "1001")), NULL", "NULL, \(keys.replacing("%", with: "1001"))", "'{}', NULL", "NULL, '{}'",
                "'{\(UUID(high: 0, low: 1))}', '{a}'",
            ]
            for values in invalid {
                let error = await #expect(throws: PostgresError.self, "\(values)") {
                    try await run(connection, "INSERT INTO sync_outbox (kind, ids, keys) SELECT 'item', \(values)")
                }
                try await connection.runScript("end", "ROLLBACK", until: .soon)
                #expect(error?.constraint == "sync_outbox_ids_check", "\(values)")
            }
        }
    }

    @Test("A row has at most 1,000 IDs")
    func size() async throws {
        try await Fixture.run { connection, _ async throws in
            _ = try await reported(connection)
            try await run(connection, "SELECT pg_temp.top_app('a' || n, '{\"en\": \"A\"}') FROM generate_series(1, 2100) AS n")
            let rows = try await reported(connection)
            #expect(rows.compactMap { $0.ids?.count }.sorted() == [100, 1000, 1000])
            #expect(Set(rows.flatMap { $0.ids ?? [] }).count == 2100)
        }
    }

    @Test("Items that are indexed after their commit are added as listings, and no others")
    func listings() async throws {
        try await Fixture.run { connection, _ async throws in
            try await run(connection, "SELECT pg_temp.top_app('b' || n, '{\"en\": \"B\"}') FROM generate_series(1, 100) AS n")
            #expect(try await Set(reported(connection).map(\.kind)).isDisjoint(with: ["listing"]))
            try await run(connection, "SELECT pg_temp.top_app('a' || n, '{\"en\": \"A\"}') FROM generate_series(1, 2100) AS n")
            let items = try await reported(connection)
            try await run(connection, "SELECT vitrine.derive_items(5000)")
            let rows = try await reported(connection)
            #expect(rows.allSatisfy { $0.kind == "listing" })
            #expect(rows.compactMap { $0.ids?.count }.sorted() == [100, 1000, 1000])
            #expect(Set(rows.flatMap { $0.ids ?? [] }) == Set(items.flatMap { $0.ids ?? [] }))
        }
    }

    @Test("A changed ID adds the old and the new one, and a deletion adds the deleted one")
    func changedKey() async throws {
        try await Fixture.run("SELECT pg_temp.top_app('a', '{\"en\": \"A\"}')") { connection, _ async throws in
            _ = try await reported(connection)
            try await run(connection, "UPDATE items SET id = md5('b')::uuid")
            let (a, b) = (try await id(connection, "a"), try await id(connection, "b"))
            #expect(try await reported(connection).flatMap { $0.ids ?? [] }.sorted() == [a, b].sorted())
            try await run(connection, "DELETE FROM items")
            #expect(try await reported(connection) == [Notification(kind: "item", ids: [b], keys: nil)])
        }
    }

    @Test("Storefronts, categories, charts and platforms are added by key")
    func keys() async throws {
        try await Fixture.run { connection, _ async throws in
            let all = Set(try await reported(connection).map { "\($0.kind) \(($0.keys ?? []).sorted().joined(separator: ","))" })
            #expect(all == ["storefront de,sa,us", "category dinner,games,new,tools"])
            let chart = "chart us/top-free"
            for (change, expected) in [
                ("INSERT INTO charts VALUES ('us', 'top-free')", [chart]),
                ("UPDATE storefront_locales SET rank = 9 WHERE storefront = 'us' AND locale = 'es'", ["storefront us"]),
                ("DELETE FROM storefront_locales WHERE locale = 'es'", ["storefront us"]),
                ("INSERT INTO storefront_locales VALUES ('sa', 'fr', 9)", ["storefront sa"]),
                ("UPDATE category_texts SET title = 'Toys' WHERE category = 'new'", ["category new"]),
                ("DELETE FROM category_texts WHERE category = 'new'", ["category new"]),
                ("INSERT INTO category_texts VALUES ('new', 'de', 'Neu')", ["category new"]),
                ("UPDATE categories SET key = 'newest' WHERE key = 'new'", ["category new,newest"]),
                ("DELETE FROM categories WHERE key = 'newest'", ["category newest"]),
                ("SELECT pg_temp.top_app('a', '{\"en\": \"A\"}'), pg_temp.top_app('b', '{\"en\": \"B\"}')", ["item"]),
                ("INSERT INTO chart_entries SELECT 'us', 'top-free', 1, md5('a')::uuid", [chart]),
                ("UPDATE chart_entries SET item_id = md5('b')::uuid", [chart]), ("DELETE FROM chart_entries", [chart]),
                ("UPDATE charts SET name = 'top'", ["chart us/top,us/top-free"]), ("DELETE FROM charts", ["chart us/top"]),
                ("UPDATE platforms SET is_served = false WHERE key IN ('linux', 'tvos')", ["platform linux,tvos"]),
                ("INSERT INTO platforms (key, runs) VALUES ('xr', '{xr}')", ["platform xr"]),
                ("DELETE FROM platforms WHERE key = 'xr'", ["platform xr"]),
            ] {
                try await run(connection, change)
                let keys = Set(try await reported(connection).map { "\($0.kind) \(($0.keys ?? []).sorted().joined(separator: ","))" })
                #expect(keys.isSuperset(of: expected.map { $0 == "item" ? "item " : $0 }), "\(change): \(keys)")
            }
        }
    }

    @Test("Replication cannot bypass the outbox, and no table can be truncated")
    func always() async throws {
        try await Fixture.run { connection, _ async throws in
            let query = PostgresQuery(
                "triggers",
                """
                SELECT tgrelid::regclass::text || ' ' || tgname FROM pg_trigger
                WHERE NOT tgisinternal AND tgenabled <> 'A'
                    AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'vitrine'::regnamespace)
                """)
            #expect(try await connection.rows(of: query, as: String.self, until: .soon).isEmpty)
            let tables = PostgresQuery(
                "tables",
                """
                SELECT DISTINCT conrelid::regclass::text FROM pg_constraint
                WHERE connamespace = 'vitrine'::regnamespace AND contype = 'f'
                    -- What curators were answered and what became of their files is shown to nobody else.
                    AND conrelid NOT IN ('vitrine.replies'::regclass, 'vitrine.imports'::regclass, 'vitrine.import_rejects'::regclass)
                """)
            for table in try await connection.rows(of: tables, as: String.self, until: .soon) {
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.runScript("truncate", "TRUNCATE \(table) CASCADE", until: .soon)
                }
                #expect(error?.sqlState?.rawValue == "0A000", "\(table)")
            }
        }
    }
}
