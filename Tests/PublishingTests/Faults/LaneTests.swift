import EventLoop
import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("Edits and imports in the outbox", .databaseForEachTest)
struct LaneTests {
    private static let edited = "SELECT pg_temp.top_app('edited', '{\"en\": \"Edited\"}', rating => 1, ratings => 1)"

    /// Returns a transaction that writes items like a chunk of an import.
    private static func chunk(_ name: String, _ count: Int, rating: Int = 1) -> String {
        imported(
            "SELECT pg_temp.top_app('\(name)' || n, '{\"en\": \"App\"}', rating => \(rating), ratings => n) FROM generate_series(1, \(count)) AS n"
        )
    }

    private static func imported(_ script: String) -> String {
        """
        BEGIN; SELECT set_config('vitrine.is_import', 'on', true), set_config('vitrine.queues_items', 'on', true), \
        set_config('vitrine.writes_hashes', 'on', true); \(script); COMMIT;
        """
    }

    private static func rate(_ slug: String, _ count: Int) -> String { "UPDATE items SET rating_count = \(count) WHERE slug = '\(slug)'" }

    private static func ratings(_ slug: String, _ site: Site) async throws -> [String] {
        try await site.rows(
            "SELECT document -> 'rating' ->> 'count' FROM published JOIN items ON items.id::text = published.id WHERE slug = '\(slug)'")
    }

    /// Returns the number of published items of each chunk.
    private static func published(_ site: Site) async throws -> [String: Int] {
        let query = PostgresQuery(
            "published",
            "SELECT left(slug, 1), count(*) FROM published JOIN items ON items.id::text = published.id WHERE published.kind = 'item' GROUP BY 1"
        )
        return Dictionary(uniqueKeysWithValues: try await site.connection.rows(of: query, as: String.self, Int.self, until: .soon))
    }

    private static func finish(_ sequencer: inout Sequencer, _ site: Site) async throws {
        while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
        #expect(try await site.rows("SELECT is_complete::text FROM sync_head") == ["true"])
        var another = try site.sequencer()
        #expect(try await another.drain(site.connection, until: .soon).versions == 0)
    }

    @Test("The next drain publishes an edit, whatever the number of imported items that wait", arguments: [1, 5, 40])
    func edit(chunks: Int) async throws {
        try await Site.run(Self.edited) { site in
            var sequencer = try site.sequencer(maxImported: 8)
            try await Self.finish(&sequencer, site)
            for number in 0..<chunks { try await site.sql(Self.chunk("c\(number)-", 8)) }
            try await site.sql(Self.rate("edited", 77))
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await Self.ratings("edited", site) == ["77"])
            // With a single chunk, the drain takes everything.
            #expect(report.waiting == OutboxCounts(imports: chunks == 1 ? 0 : 8 * chunks))
            try await Self.finish(&sequencer, site)
            #expect(try await Self.published(site) == ["e": 1, "c": 8 * chunks])
        }
    }

    @Test("A large edit does not wait for imports either, and no chunk is published in parts")
    func large() async throws {
        try await Site.run("") { site in
            var sequencer = try site.sequencer(maxEdits: 4, maxImported: 4)
            try await Self.finish(&sequencer, site)
            for name in ["a", "b", "c"] { try await site.sql(Self.chunk(name, 8)) }
            try await site.sql(
                "BEGIN; SELECT pg_temp.top_app('z' || n, '{\"en\": \"App\"}') FROM generate_series(1, 30) AS n; COMMIT")
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 30)
            #expect(try await Self.published(site) == ["z": 30])
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 8)
            #expect(try await Self.published(site) == ["z": 30, "a": 8])
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 8)
            #expect(try await Self.published(site) == ["z": 30, "a": 8, "b": 8])
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("While a long import waits, every other drain publishes edits alone")
    func turns() async throws {
        try await Site.run(Self.edited) { site in
            var sequencer = try site.sequencer(maxImported: 4)
            try await Self.finish(&sequencer, site)
            for name in ["a", "b", "c", "d"] { try await site.sql(Self.chunk(name, 8)) }
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 8)
            try await site.sql(Self.rate("edited", 7))
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 1)
            try await site.sql(Self.rate("edited", 8))
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 9)
            #expect(try await Self.ratings("edited", site) == ["8"])
            #expect(try await Self.published(site) == ["e": 1, "a": 8, "b": 8])
            try await site.sql(Self.rate("edited", 9))
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 1)
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("Edits are published while no drain with an import succeeds, and the import after that", arguments: [1, 8])
    func failure(maxImported: Int) async throws {
        try await Site.run(Self.edited) { site in
            var sequencer = try site.sequencer(maxImported: maxImported)
            try await Self.finish(&sequencer, site)
            try await site.sql(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON published FOR EACH ROW WHEN (NEW.id = md5('a1')::uuid::text) EXECUTE FUNCTION refuse();
                """)
            try await site.sql(Self.chunk("a", 2))
            var failures = 0
            for count in 2...5 {
                try await site.sql(Self.rate("edited", count))
                var attempts = 0
                while try await Self.ratings("edited", site) != ["\(count)"], attempts < 3 {
                    attempts += 1
                    do {
                        _ = try await sequencer.drain(site.connection, until: .soon)
                    } catch let error as PostgresError where error.sqlState?.rawValue == "53100" {
                        failures += 1
                    }
                }
                #expect(attempts <= 2)
            }
            #expect(failures >= 3)
            #expect(try await Self.published(site) == ["e": 1])
            try await site.sql("DROP TRIGGER refuse ON published")
            try await Self.finish(&sequencer, site)
            #expect(try await Self.published(site) == ["e": 1, "a": 2])
        }
    }

    @Test("An item that an import and an edit have changed is published with its last content only", arguments: [false, true])
    func order(isEditFirst: Bool) async throws {
        try await Site.run(Self.edited) { site in
            var sequencer = try site.sequencer(maxImported: 4)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.chunk("a", 8) + Self.chunk("b", 8))
            let changes = [Self.imported(Self.rate("edited", 50)), Self.rate("edited", 60)]
            for change in isEditFirst ? changes.reversed() : changes { try await site.sql(change) }
            var seen: [String] = []
            var isComplete = false
            while !isComplete {
                isComplete = try await sequencer.drain(site.connection, until: .soon).isComplete
                seen += try await Self.ratings("edited", site)
            }
            let last = isEditFirst ? "50" : "60"
            #expect(Set(seen) == [last] && seen.count > 1, "\(seen)")
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("A drain of edits alone publishes the items that it places, although their import waits")
    func placed() async throws {
        try await Site.run(Self.edited) { site in
            try await site.publish(TwoSequencersTests.feed)
            var sequencer = try site.sequencer(maxImported: 4)
            try await Self.finish(&sequencer, site)
            for name in ["a", "b"] { try await site.sql(Self.chunk(name, 8)) }
            try await site.sql(Self.chunk("c", 8, rating: 5))
            _ = try await sequencer.drain(site.connection, until: .soon)
            // Lists have the imported items before they are published.
            try await site.sql("SELECT derive_items(1000000)")
            try await site.sql(Self.rate("edited", 9))
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.changes == 1 && report.waiting.imports > 0)
            #expect(try await site.visibleItems("today")["today/hero"]?.contains("c8") ?? false)
            #expect(try await site.rows(LoosePlacements.sql).isEmpty)
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("Indexing belongs to imports, and a transaction that only starts to import in a rolled-back part does not")
    func lanes() async throws {
        try await Site.run("") { site in
            var sequencer = try site.sequencer()
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.chunk("a", 2))
            #expect(try await site.rows("SELECT DISTINCT kind || ' ' || is_import FROM sync_outbox") == ["item true"])
            try await site.sql("DELETE FROM sync_outbox; SELECT derive_items(1000)")
            #expect(try await site.rows("SELECT DISTINCT kind || ' ' || is_import FROM sync_outbox") == ["listing true"])
            try await site.sql(
                """
                DELETE FROM sync_outbox;
                BEGIN; SAVEPOINT part; SELECT set_config('vitrine.is_import', 'on', true); ROLLBACK TO part; \(Self.rate("a1", 5)); COMMIT
                """)
            #expect(try await site.rows("SELECT DISTINCT kind || ' ' || is_import FROM sync_outbox") == ["item false"])
        }
    }

    @Test("An edit that waits for indexing is indexed before all items of an import, and its sections are composed with the next drain")
    func delayedEdit() async throws {
        try await Site.run(Self.edited) { site in
            try await site.publish(TwoSequencersTests.feed)
            var sequencer = try site.sequencer(maxImported: 4, maxDue: 1)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.chunk("a", 8))
            try await site.sql(Self.chunk("b", 300))
            try await site.sql(
                "BEGIN; SET LOCAL vitrine.queues_items = 'on'; UPDATE items SET deleted_at = now() WHERE slug = 'edited'; COMMIT")
            #expect(try await site.rows("SELECT cardinality(ids)::text FROM stale_items WHERE is_edit") == ["1"])
            // The drain of the edit removes the item, which lists still have.
            try await site.sql("DELETE FROM sync_outbox WHERE is_import")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.rows("SELECT derive_items(100)::text") == ["1"])
            #expect(try await site.rows("SELECT kind || ' ' || is_import FROM sync_outbox") == ["listing false"])
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.changes == 1 && report.dueSections == 0 && report.isComplete)
            #expect(try await site.rows(LoosePlacements.sql).isEmpty)
            #expect(try await site.rows("SELECT derive_items(1000000)::text") == ["308"])
        }
    }

    @Test("The oldest transaction is the one with the lowest number, not the first in alphabetical order")
    func oldest() async throws {
        try await Site.run(Self.chunk("a", 4)) { site in
            var sequencer = try site.sequencer(maxImported: 1)
            try await Self.finish(&sequencer, site)
            try await site.sql(
                """
                INSERT INTO sync_outbox (kind, ids, transaction, is_import)
                SELECT 'item', ARRAY[md5('a1')::uuid, md5('a2')::uuid], number::xid8, true FROM unnest('{9,10}'::text[]) AS numbers (number)
                """)
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.rows("SELECT transaction::text FROM sync_outbox") == ["10"])
        }
    }

    @Test("An import learns how much is unpublished, and whether a process publishes it")
    func backlog() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            var sequencer = try site.sequencer()
            try await Self.finish(&sequencer, site)
            func backlog() async throws -> (changes: Int, hasLeader: Bool) {
                let rows = try await site.connection.rows(
                    of: PostgresQuery(NamedQuery("import.backlog")), as: Int.self, String.self, Bool.self, until: .soon)
                let row = try #require(rows.first)
                return (row.0, row.2)
            }
            let before = try await backlog()
            #expect(before.changes == 0 && !before.hasLeader)
            try await site.sql(Self.chunk("a", 8) + "UPDATE categories SET item_kind = item_kind")
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            #expect(try await sequencer.elect(PostgresSession(other, within: .seconds(60))))
            let after = try await backlog()
            #expect(after.changes == 8 && after.hasLeader)
        }
    }
}
