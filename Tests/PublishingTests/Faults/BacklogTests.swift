import EventLoop
import Feeds
import Host
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("A backlog of the outbox", .databaseForEachTest)
struct BacklogTests {
    /// Returns a transaction with a savepoint, like a chunk of an import.
    private static func chunk(_ name: String, _ count: Int, rating: Int = 1) -> String {
        func apps(_ range: String) -> String {
            "SELECT pg_temp.top_app('\(name)' || n, '{\"en\": \"App\"}', rating => \(rating), ratings => n) FROM generate_series(\(range)) AS n;"
        }
        return "BEGIN; \(apps("1, \(count / 2)")) SAVEPOINT half; \(apps("\(count / 2 + 1), \(count)")) RELEASE half; COMMIT;"
    }

    /// Returns the number of published items of each chunk.
    private static func published(_ site: Site) async throws -> [String: Int] {
        let query = PostgresQuery(
            "published",
            "SELECT left(slug, 1), count(*) FROM published JOIN items ON items.id::text = published.id WHERE published.kind = 'item' GROUP BY 1"
        )
        return Dictionary(uniqueKeysWithValues: try await site.connection.rows(of: query, as: String.self, Int.self, until: .soon))
    }

    private static func head(_ site: Site) async throws -> String? {
        try await site.rows("SELECT is_complete::text FROM sync_head").first
    }

    @Test("A backlog is published in bounded drains of whole transactions, and a small edit after it by the first drain")
    func bounded() async throws {
        try await Site.run("SELECT pg_temp.top_app('edited', '{\"en\": \"Edited\"}', rating => 1, ratings => 1)") { site in
            var sequencer = try site.sequencer(maxEdits: 8)
            _ = try await sequencer.drain(site.connection, until: .soon)
            for name in ["a", "b", "c", "d"] { try await site.sql(Self.chunk(name, 8)) }
            try await site.sql("UPDATE items SET rating_count = 77 WHERE slug = 'edited'")
            let first = try await sequencer.drain(site.connection, until: .soon)
            #expect(first.changes == 9 && !first.isComplete)
            #expect(try await Self.published(site) == ["e": 1, "a": 8])
            #expect(try await Self.head(site) == "false")
            let edited = try await site.rows(
                "SELECT document -> 'rating' ->> 'count' FROM published JOIN items ON items.id::text = published.id WHERE slug = 'edited'")
            #expect(edited == ["77"])
            let second = try await sequencer.drain(site.connection, until: .soon)
            #expect(second.changes == 16 && !second.isComplete)
            #expect(try await Self.published(site) == ["e": 1, "a": 8, "b": 8, "c": 8])
            let last = try await sequencer.drain(site.connection, until: .soon)
            #expect(last.changes == 8 && last.isComplete)
            #expect(try await Self.published(site) == ["e": 1, "a": 8, "b": 8, "c": 8, "d": 8])
            #expect(try await Self.head(site) == "true")
            #expect(try await site.rows("SELECT max(version)::text FROM published") == ["\(last.head)"])
        }
    }

    @Test("The head is complete after the last transaction, even if that changes nothing visible")
    func nothing() async throws {
        try await Site.run(Self.chunk("a", 4) + Self.chunk("b", 4)) { site in
            var sequencer = try site.sequencer(maxEdits: 1)
            try await site.sql("DELETE FROM sync_outbox WHERE kind <> 'item'")
            #expect(try await !sequencer.drain(site.connection, until: .soon).isComplete)
            try await site.sql("DELETE FROM sync_outbox; INSERT INTO sync_outbox (kind, keys) VALUES ('category', '{tools}')")
            let last = try await sequencer.drain(site.connection, until: .soon)
            #expect(last.isComplete && last.versions == 0)
            #expect(try await Self.head(site) == "true")
        }
    }

    @Test("Items that are placed before their turn are published with their placements")
    func placed() async throws {
        try await Site.run("") { site in
            try await site.publish(TwoSequencersTests.feed)
            var sequencer = try site.sequencer(maxEdits: 2)
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            try await site.sql(Self.chunk("a", 8))
            try await site.sql(Self.chunk("b", 8, rating: 5))
            #expect(try await !sequencer.drain(site.connection, until: .soon).isComplete)
            #expect(try await site.visibleItems("today")["today/hero"] == ["b8", "b7", "b6", "b5", "b4"])
            #expect(try await site.rows(LoosePlacements.sql).isEmpty)
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test("A transaction larger than the limit is published by one drain, which composes everything")
    func large() async throws {
        try await Site.run("") { site in
            try await site.publish(TwoSequencersTests.feed)
            var sequencer = try site.sequencer(maxTraced: 10, maxEdits: 5)
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(Self.chunk("z", 4))
            try await site.sql("BEGIN; \(Self.chunk("a", 1_200).replacing("BEGIN;", with: "").replacing("COMMIT;", with: "")) COMMIT;")
            try await site.sql("DELETE FROM sync_outbox WHERE cardinality(ids) = 4")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.changes == 1_200 && report.isComplete && report.composedSections == 9)
            #expect(try await Self.published(site) == ["a": 1_200])
            #expect(try await site.rows("SELECT 1::text FROM sync_outbox").isEmpty)
            #expect(try await site.rows("SELECT max(version)::text FROM published") == ["\(report.head)"])
        }
    }

    @Test("A transaction of many small rows is read once, so that the pages read grow linearly")
    func small() async throws {
        try await Site.run("") { site in
            var sequencer = try site.sequencer(maxTraced: 10)
            _ = try await sequencer.drain(site.connection, until: .soon)
            var touched: [Int] = []
            for count in [500, 8_000] {
                try await site.sql(
                    "INSERT INTO sync_outbox (kind, ids) SELECT 'item', ARRAY[md5(n::text)::uuid] FROM generate_series(1, \(count)) AS n")
                let changes = try await site.connection.transaction(TransactionOptions(isolation: .repeatableRead), until: .soon) {
                    connection in
                    let report = try await sequencer.drain(PostgresSession(inTransactionOf: connection, within: .seconds(60)))
                    let query = PostgresQuery(
                        "pages", "SELECT pg_stat_get_xact_blocks_fetched('vitrine.sync_outbox'::regclass)", isPrepared: false)
                    touched += try await connection.rows(of: query, as: Int.self, until: .soon)
                    return report.changes
                }
                #expect(changes == count)
                #expect(try await site.rows("SELECT 1::text FROM sync_outbox").isEmpty)
                try await sequencer.emptyOutbox(PostgresSession(site.connection, within: .seconds(60)))
                try await site.sql("TRUNCATE sync_outbox")
            }
            #expect(touched[0] > 0 && touched[1] < touched[0] * 20, "\(touched)")
        }
    }

    @Test("A transaction that starts first and commits last is not lost")
    func late() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run(Self.chunk("a", 4)) { site in
            var sequencer = try site.sequencer(maxEdits: 1)
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            try await other.runScript(
                "begin", "BEGIN; UPDATE vitrine.items SET rating_count = 99 WHERE slug = 'a1'; SAVEPOINT later", until: .soon)
            for name in ["b", "c"] { try await site.sql(Self.chunk(name, 4)) }
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await other.runScript("commit", "COMMIT", until: .soon)
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            let count = try await site.rows(
                "SELECT document -> 'rating' ->> 'count' FROM published JOIN items ON items.id::text = published.id WHERE slug = 'a1'")
            #expect(count == ["99"])
            #expect(try await Self.published(site) == ["a": 4, "b": 4, "c": 4])
        }
    }
}
