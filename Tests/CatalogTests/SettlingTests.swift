import EventLoop
import Items
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Catalog

@Suite("The index", .databaseForEachTest)
struct SettlingTests {
    @Test("The index has the changes of two concurrent transactions to different rows of one item")
    func concurrent() async throws {
        try await Fixture.runWithAnother("SELECT pg_temp.top_app('a', '{\"en\": \"Harbor\"}')") { connection, other, reader async throws in
            // Indexed, but not committed: until then the other transaction sees the old title.
            try await connection.runScript(
                "rename", "BEGIN; UPDATE item_texts SET title = 'Lighthouse'; SET CONSTRAINTS items_are_settled IMMEDIATE", until: .soon)
            async let priced: Void = other.runScript(
                "price", "INSERT INTO vitrine.item_prices SELECT id, 'us', 'price', 99, 'USD' FROM vitrine.items", until: .soon)
            try await connection.waitForAnother()
            try await connection.runScript("commit", "COMMIT", until: .soon)
            try await priced
            #expect(try await reader.found("lighthouse") == ["a"])
            #expect(try await reader.found("harbor").isEmpty)
            var filter = ItemFilter()
            filter.price = .paid
            #expect(try await reader.slugs(filter, by: .rating) == ["a"])
        }
    }

    @Test("The kind of a category cannot change while another transaction adds an item of the other kind")
    func category() async throws {
        try await Fixture.runWithAnother("SELECT pg_temp.top_app('a', '{\"en\": \"A\"}')") { connection, other, _ async throws in
            try await connection.runScript(
                "put", "BEGIN; INSERT INTO item_categories SELECT id, 'new', 2 FROM items", until: .soon)
            async let changed: Void = other.runScript(
                "change", "UPDATE vitrine.categories SET item_kind = 'foodApp' WHERE key = 'new'", until: .soon)
            try await connection.waitForAnother()
            try await connection.runScript("commit", "COMMIT", until: .soon)
            var failure: PostgresError?
            do { try await changed } catch { failure = error as? PostgresError }
            #expect(failure?.constraint == "categories_item_kind_check")
            try await connection.runScript(
                "allowed",
                """
                UPDATE categories SET item_kind = 'topApp' WHERE key = 'new'; UPDATE categories SET item_kind = NULL WHERE key = 'new';
                UPDATE items SET deleted_at = now(); UPDATE categories SET item_kind = 'foodApp' WHERE key = 'new'
                """, until: .soon)
        }
    }

    @Test("Incremental indexing has the same result as indexing the whole catalog", arguments: Seeds.fixed(1))
    func again(seed: UInt64) async throws {
        let changes = [
            "UPDATE items SET rating_average = 3, rating_count = 70 WHERE slug = 'a'",
            "UPDATE items SET deleted_at = now() WHERE slug = 'b'",
            "UPDATE items SET deleted_at = NULL WHERE slug = 'b'", "DELETE FROM items WHERE slug = 'c'",
            "UPDATE item_texts SET title = title || ' more', locale = 'de' WHERE item_id = md5('a')::uuid",
            "DELETE FROM item_categories WHERE category = 'games'",
            "INSERT INTO item_categories SELECT id, 'games', 2 FROM items WHERE kind = 'topApp' ON CONFLICT (item_id, category) DO NOTHING",
            "UPDATE items SET is_everywhere = false WHERE slug = 'a'", "UPDATE top_apps SET developer = 'Pier'",
            "UPDATE item_platforms SET platform = 'linux', minimum_os = '6.1'",
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
                UNION ALL SELECT 'count ' || listing_counts::text FROM vitrine.listing_counts WHERE (items, timed) <> (0, 0)
                UNION ALL SELECT 'document ' || search_documents::text FROM vitrine.search_documents
                UNION ALL SELECT 'title ' || listed_titles::text FROM vitrine.listed_titles
                UNION ALL SELECT 'moment ' || listing_moments::text FROM vitrine.listing_moments WHERE step <> 0
                ORDER BY 1
                """)
            let before = try await connection.rows(of: derived, as: String.self, until: .soon)
            try await connection.runScript(
                "anew",
                """
                DELETE FROM listings; DELETE FROM listing_counts; DELETE FROM search_documents; DELETE FROM listed_titles; DELETE FROM listing_moments;
                UPDATE items SET version = version
                """, until: .soon)
            #expect(try await connection.rows(of: derived, as: String.self, until: .soon) == before, "seed \(seed)")
            #expect(!before.isEmpty)
        }
    }

    /// The contents of the index.
    private static let derived = PostgresQuery(
        "derived",
        """
        SELECT 'listing ' || listings::text FROM vitrine.listings
        UNION ALL SELECT 'count ' || listing_counts::text FROM vitrine.listing_counts WHERE (items, timed) <> (0, 0)
        UNION ALL SELECT 'document ' || search_documents::text FROM vitrine.search_documents
        UNION ALL SELECT 'title ' || listed_titles::text FROM vitrine.listed_titles
        UNION ALL SELECT 'moment ' || listing_moments::text FROM vitrine.listing_moments WHERE step <> 0
        ORDER BY 1
        """)
    private static let waiting = PostgresQuery(
        "waiting", "SELECT EXISTS (\(LockWaits.sql))")
    private static let queued = PostgresQuery("queued", "SELECT count(DISTINCT id) FROM vitrine.stale_items CROSS JOIN unnest(ids) AS id")
    private static let derive = PostgresQuery("derive", "SELECT vitrine.derive_items(1000)")

    private static func many(_ count: Int) -> String {
        "SELECT pg_temp.top_app('a' || n, '{\"en\": \"Harbor\"}', rating => 4, ratings => n) FROM generate_series(1, \(count)) AS n"
    }

    private static func refusal(_ script: String, _ connection: PostgresConnection) async -> PostgresError? {
        do throws(PostgresError) {
            try await connection.runScript("refused", script, until: .soon)
            return nil
        } catch {
            return error
        }
    }

    /// Indexes all items of the queue.
    private static func drain(_ connection: PostgresConnection) async throws {
        while let items = try await connection.rows(of: derive, as: Int.self, until: .soon).first, items > 0 {}
    }

    /// Returns the number of items that a client finds if all items are published.
    private static func listed(_ connection: PostgresConnection, _ reader: CatalogReader) async throws -> Int {
        try await connection.publish()
        return try await reader.slugs(by: .rating).count
    }

    /// Compares the index with a new index of the whole catalog.
    private static func compare(_ connection: PostgresConnection, _ settings: String = "") async throws {
        let before = try await connection.rows(of: derived, as: String.self, until: .soon)
        try await connection.runScript(
            "anew",
            "DELETE FROM listings; DELETE FROM listing_counts; DELETE FROM search_documents; DELETE FROM listed_titles; DELETE FROM listing_moments; SELECT vitrine.queue_all_items()",
            until: .soon
        )
        try await drain(connection)
        #expect(try await connection.rows(of: derived, as: String.self, until: .soon) == before, "\(settings)")
        #expect(!before.isEmpty)
    }

    @Test("A small transaction is indexed at its end, and a large one is queued while its items can be read by ID")
    func queue() async throws {
        try await Fixture.run { connection, reader async throws in
            try await connection.runScript("few", Self.many(100), until: .soon)
            #expect(try await Self.listed(connection, reader) == 100)
            try await connection.runScript("many", Self.many(350).replacing("'a'", with: "'b'"), until: .soon)
            #expect(try await Self.listed(connection, reader) == 100)
            #expect(try await connection.rows(of: Self.queued, as: Int.self, until: .soon) == [350])
            let ids = try await connection.rows(
                of: PostgresQuery("ids", "SELECT id FROM vitrine.items WHERE slug = 'b7'"), as: UUID.self, until: .soon)
            #expect(try await reader.items(ids, in: try await reader.site("us")).map(\.slug) == ["b7"])
            try await Self.drain(connection)
            #expect(try await Self.listed(connection, reader) == 450)
            #expect(try await reader.found("harbor", limit: 5).count == 5)
            #expect(try await connection.rows(of: Self.queued, as: Int.self, until: .soon) == [0])
            try await Self.compare(connection)
        }
    }

    @Test("Indexing takes at least 100 items of the queue, and has no statement timeout")
    func timeout() async throws {
        try await Fixture.run { connection, reader async throws in
            try await connection.runScript("many", Self.many(250), until: .soon)
            let few = PostgresQuery("few", "SELECT vitrine.derive_items(1)")
            #expect(try await connection.rows(of: few, as: Int.self, until: .soon) == [100])
            let slow = """
                CREATE FUNCTION vitrine.sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END';
                CREATE TRIGGER sleep AFTER INSERT ON listings EXECUTE FUNCTION vitrine.sleep();
                SET statement_timeout = '2s'
                """
            try await connection.runScript("slow", slow, until: .soon)
            let items = try await ItemIndexer.deriveSome(PostgresSession(connection, within: .seconds(60)))
            #expect(items == .derived(items: 150))
            #expect(try await Self.listed(connection, reader) == 250)
            let timeout = PostgresQuery("timeout", "SELECT current_setting('statement_timeout')")
            #expect(try await connection.rows(of: timeout, as: String.self, until: .soon) == ["2s"])
        }
    }

    @Test("Indexing takes the edits of the queue first, by the number of their items")
    func edits() async throws {
        try await Fixture.run { connection, _ async throws in
            try await connection.runScript("many", Self.many(250), until: .soon)
            let edits = "INSERT INTO stale_items (ids, is_edit) SELECT ARRAY[gen_random_uuid()], true FROM generate_series(1, 250)"
            try await connection.runScript("edits", edits, until: .soon)
            for (maximum, items) in [(100, 100), (100, 100), (100, 50), (1_000, 250), (1_000, 0)] {
                let some = PostgresQuery("some", "SELECT vitrine.derive_items(\(maximum))")
                #expect(try await connection.rows(of: some, as: Int.self, until: .soon) == [items])
            }
            try await Self.compare(connection)
        }
    }

    @Test("Indexing skips an item that cannot be indexed, which stays as it was until it can")
    func bad() async throws {
        try await Fixture.run(Self.many(99)) { connection, reader async throws in
            let setAside = PostgresQuery("aside", "SELECT item_id::text || ' ' || reason FROM vitrine.unindexed_items ORDER BY 1")
            try await connection.runScript(
                "bad", "ALTER TABLE listings ADD CONSTRAINT bad CHECK (rating_count NOT IN (1007, 1008))", until: .soon)
            try await connection.runScript(
                "many", "\(Self.many(300).replacing("'a'", with: "'b'").replacing("ratings => n", with: "ratings => 1000 + n"))",
                until: .soon)
            try await Self.drain(connection)
            #expect(try await Self.listed(connection, reader) == 397)
            let reasons = try await connection.rows(of: setAside, as: String.self, until: .soon)
            #expect(reasons.count == 2 && reasons.allSatisfy { $0.contains("violates check constraint \"bad\"") }, "\(reasons)")
            try await connection.runScript(
                "mend", "ALTER TABLE listings DROP CONSTRAINT bad; SELECT vitrine.queue_all_items()", until: .soon)
            try await Self.drain(connection)
            #expect(try await Self.listed(connection, reader) == 399)
            #expect(try await connection.rows(of: setAside, as: String.self, until: .soon).isEmpty)
            try await Self.compare(connection)
        }
    }

    @Test("An item that is deleted and inserted again is indexed, even if its deletion is still being indexed", arguments: [false, true])
    func againAtTheSameTime(isFirst: Bool) async throws {
        let item = "SELECT pg_temp.top_app('a', '{\"en\": \"Harbor\"}')"
        try await Fixture.runWithAnother(item) { connection, other, reader async throws in
            // As after a large change, the item is deleted and still listed.
            try await connection.runScript(
                "gone", "CREATE TEMPORARY TABLE kept AS SELECT * FROM listings; DELETE FROM items", until: .soon)
            try await connection.runScript(
                "listed",
                """
                INSERT INTO listings SELECT * FROM kept; UPDATE listing_counts SET items = 1;
                SELECT vitrine.queue_all_items()
                """, until: .soon)
            let derive = "SELECT vitrine.derive_items(1000)"
            let again = "SET CONSTRAINTS items_are_settled IMMEDIATE"
            try await connection.runScript("first", "BEGIN; \(isFirst ? "\(item); \(again)" : derive)", until: .soon)
            if isFirst {
                async let second: Void = other.runScript("second", derive, until: .soon)
                try await connection.waitForAnother()
                try await connection.runScript("commit", "COMMIT", until: .soon)
                try await second
            } else {
                try await other.runScript("functions", "SET search_path = vitrine, public", until: .soon)
                async let second: Void = other.runScript(
                    "second",
                    """
                    BEGIN;
                    INSERT INTO items (id, kind, source, slug, content_hash) VALUES (md5('a')::uuid, 'topApp', 'a', 'a', sha256('a'));
                    INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
                    VALUES (md5('a')::uuid, 'org.a', 'Quay Labs', '1.0', 1000, '2024-05-01');
                    INSERT INTO item_platforms (item_id, platform) VALUES (md5('a')::uuid, 'ios');
                    INSERT INTO item_age_ratings (item_id, scheme, label) VALUES (md5('a')::uuid, 'apple-2015', '4+');
                    INSERT INTO item_texts (item_id, locale, title) VALUES (md5('a')::uuid, 'en', 'Harbor');
                    INSERT INTO item_categories (item_id, category, rank) VALUES (md5('a')::uuid, 'tools', 1);
                    COMMIT
                    """, until: .soon)
                try await connection.waitForAnother()
                try await connection.runScript("commit", "COMMIT", until: .soon)
                try await second
            }
            try await Self.drain(connection)
            #expect(try await reader.slugs(by: .rating) == ["a"])
            #expect(try await reader.found("harbor") == ["a"])
            try await Self.compare(connection)
        }
    }

    @Test("Indexing that is interrupted leaves its items in the queue")
    func killed() async throws {
        try await Fixture.runWithAnother("") { connection, other, reader async throws in
            try await connection.runScript("many", Self.many(1200), until: .soon)
            let process = try await other.rows(of: PostgresQuery("process", "SELECT pg_backend_pid()"), as: Int.self, until: .soon)
            try await other.runScript("half", "BEGIN; SELECT vitrine.derive_items(400)", until: .soon)
            let kill = PostgresQuery("kill", "SELECT pg_terminate_backend($1::integer, 10000)", process.first)
            #expect(try await connection.rows(of: kill, as: Bool.self, until: .soon) == [true])
            #expect(try await connection.rows(of: Self.queued, as: Int.self, until: .soon) == [1200])
            try await Self.drain(connection)
            #expect(try await Self.listed(connection, reader) == 1200)
            try await Self.compare(connection)
        }
    }

    @Test("Only one server indexes at a time: another one gets `busy`, and continues after it")
    func excluding() async throws {
        try await Fixture.runWithAnother("") { connection, other, _ async throws in
            func derive(_ server: PostgresConnection) async throws -> ItemIndexer.Part {
                try await ItemIndexer.deriveSome(PostgresSession(server, within: .seconds(60)))
            }
            try await connection.runScript("many", Self.many(1200), until: .soon)
            try await other.runScript("begin", "BEGIN", until: .soon)
            #expect(try await derive(other) == .derived(items: 500))
            #expect(try await derive(connection) == .busy)
            try await other.runScript("commit", "COMMIT", until: .soon)
            #expect(try await connection.rows(of: Self.queued, as: Int.self, until: .soon) == [700])
            for items in [500, 200] { #expect(try await derive(connection) == .derived(items: items)) }
            #expect(try await derive(connection) == .nothing)
            try await Self.compare(connection)
        }
    }

    @Test("Two concurrent runs share the queue")
    func shared() async throws {
        try await Fixture.runWithAnother("") { connection, other, reader async throws in
            try await connection.runScript("many", Self.many(1200), until: .soon)
            // The first run has not committed its part. The second one takes another part, and waits for the counts of the first.
            try await other.runScript("part", "BEGIN; SELECT vitrine.derive_items(400)", until: .soon)
            async let rest: Void = Self.drain(connection)
            try await other.runScript("commit", "COMMIT", until: .soon)
            try await Self.drain(other)
            try await rest
            #expect(try await Self.listed(connection, reader) == 1200)
            try await Self.compare(connection)
        }
    }

    @Test(
        "Transactions that each delete one half of an item's rows run one after the other",
        arguments: ["item_categories", "item_texts"])
    func lastOne(table: String) async throws {
        let item = "SELECT pg_temp.top_app('a', '{\"en\": \"Harbor\", \"de\": \"Hafen\"}', categories => '{tools,games}')"
        let halves = table == "item_texts" ? ["locale = 'en'", "locale = 'de'"] : ["category = 'tools'", "category = 'games'"]
        try await Fixture.runWithAnother(item) { connection, other, reader async throws in
            try await connection.runScript(
                "first", "BEGIN; DELETE FROM \(table) WHERE \(halves[0]); SET CONSTRAINTS items_are_settled IMMEDIATE", until: .soon)
            async let error = Self.refusal("DELETE FROM vitrine.\(table) WHERE \(halves[1])", other)
            let limit = Deadline.soon
            while try await connection.rows(of: Self.waiting, as: Bool.self, until: .soon) == [false] { try #require(Deadline.now < limit) }
            try await connection.runScript("commit", "COMMIT", until: .soon)
            #expect(await error?.constraint == (table == "item_texts" ? "items_title_check" : "items_categories_check"))
            #expect(try await reader.slugs(by: .rating) == ["a"])
        }
    }

    @Test("A transaction that changes no counts does not wait for the counts of another")
    func counts() async throws {
        let items = "SELECT pg_temp.top_app('a', '{\"en\": \"A\"}'), pg_temp.top_app('b', '{\"en\": \"B\"}')"
        try await Fixture.runWithAnother(items) { connection, other, _ async throws in
            try await connection.runScript(
                "new", "BEGIN; SELECT pg_temp.top_app('c', '{\"en\": \"C\"}'); SET CONSTRAINTS items_are_settled IMMEDIATE", until: .soon)
            try await other.runScript(
                "rate", "UPDATE vitrine.items SET rating_average = 3, rating_count = 9 WHERE slug = 'a'", until: .soon)
            try await connection.runScript("commit", "COMMIT", until: .soon)
            try await Self.compare(connection)
        }
    }

    @Test("The counts are correct after concurrent transactions that leave items in the queue", arguments: Seeds.fixed(1))
    func concurrentCounts(seed: UInt64) async throws {
        var settings = DrawnSettings(seed: seed)
        let maximum = settings.draw("items of a derivation", default: 1_000, or: [1, 7, 50])
        let drawn = settings.description
        try await Fixture.runWithAnother(Self.many(400)) { connection, other, _ async throws in
            func change(_ connection: PostgresConnection, _ random: inout SeededRandom) async throws {
                for round in 0..<15 {
                    let (first, count) = (Int.random(in: 1...400, using: &random), Int.random(in: 1...200, using: &random))
                    // Rows are updated in one order, as every transaction has to do that updates several rows.
                    let script = """
                        UPDATE vitrine.items SET deleted_at = CASE WHEN \(round) % 2 = 0 THEN now() END, rating_count = \(round + 1)
                        WHERE id IN (
                            SELECT id FROM vitrine.items WHERE serial_number BETWEEN \(first) AND \(first + count) ORDER BY id FOR NO KEY UPDATE)
                        """
                    try await connection.runScript("change", script, until: .soon)
                    try await connection.run(PostgresQuery("some", "SELECT vitrine.derive_items(\(maximum))"), until: .soon)
                }
            }
            async let theirs: Void = {
                var random = SeededRandom(seed: seed &+ 1)
                try await change(other, &random)
            }()
            var random = SeededRandom(seed: seed)
            try await change(connection, &random)
            try await theirs
            try await Self.drain(connection)
            try await Self.compare(connection, drawn)
        }
    }
}

extension PostgresConnection {
    /// Waits until another session waits for a lock.
    fileprivate func waitForAnother() async throws {
        let waiting = PostgresQuery(
            "waiting", "SELECT EXISTS (\(LockWaits.sql))")
        let limit = Deadline.soon
        while try await rows(of: waiting, as: Bool.self, until: .soon) == [false] { try #require(Deadline.now < limit) }
    }
}
