import Feeds
import Postgres
import SQLFiles
import Security
import TestDatabase
import Testing

@testable import Publishing

@Suite("The cost of a refresh of pages", .databaseForEachTest)
struct PageRefreshCostTests {
    private static let count = 2_000

    /// Publishes feeds that the clock changes.
    private static let feeds = """
        INSERT INTO published (kind, id, storefront, feed, version, document, hash)
        SELECT 'feed', 'f' || n, 'us', 'f' || n, n, '{}', substring(digest_of('{}') FOR 16) FROM generate_series(1, \(count)) AS n;
        UPDATE published SET valid_until = now() + interval '1 day' WHERE kind = 'feed';
        UPDATE sync_head SET version = \(count);
        ANALYZE published, published_ends;
        """

    /// Returns the number of rows of feeds and their ends that a body reads.
    private static func reads(_ connection: PostgresConnection, _ body: () async throws -> Void) async throws -> Int {
        // The counters can include earlier transactions.
        let query = PostgresQuery(
            "reads",
            """
            SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint
            FROM pg_catalog.pg_stat_xact_user_tables WHERE schemaname = 'vitrine' AND relname IN ('published', 'published_ends')
            """)
        let before = try #require(try await connection.rows(of: query, as: Int.self, until: .soon).first)
        try await body()
        let after = try #require(try await connection.rows(of: query, as: Int.self, until: .soon).first)
        return after - before
    }

    /// Returns the results of the first round trip of a refresh after these changes of ends.
    private static func opening(_ connection: PostgresConnection, endNumber: Int) async throws -> PageReader.Opening {
        let session = PostgresSession(connection, within: .seconds(60))
        let start = PageReader.Start(version: count, layoutVersion: 0, endNumber: endNumber, maxTraced: 5_000)
        return try await PageReader(session).opening(try await session.run(PageReader.openingQueries(since: start)), since: start, [:])
    }

    /// Returns the feeds that an older server reads, which finds the ends by the head that it has read.
    private static func readByOlderServers(_ connection: PostgresConnection, since version: Int) async throws -> [String] {
        let query = PostgresQuery("older", "SELECT feed FROM vitrine.published_ends WHERE version >= $1::bigint ORDER BY feed", version)
        return try await connection.rows(of: query, as: String.self, until: .soon)
    }

    @Test("After the migration that numbers the ends, an older server reads all ends of feeds that exist again, at any head")
    func migrated() async throws {
        let count = SQLFiles.migrations.count { $0.name < "0059" }
        @Sendable func migrate(_ files: [SQLFiles.File], _ connection: PostgresConnection) async throws {
            try await MigrationRunner(try MigrationSet(files, digest: Digest.sha256)).migrate(connection)
        }
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                try await migrate(Array(SQLFiles.migrations.prefix(count)), connection)
                try await connection.runScript(
                    "ends",
                    """
                    SET search_path TO vitrine;
                    INSERT INTO published (kind, id, storefront, feed, version, document, hash)
                    SELECT 'feed', 'f' || n, 'us', 'f' || n, n, '{}', substring(digest_of('{}') FOR 16) FROM generate_series(1, 3) AS n;
                    INSERT INTO published_ends (storefront, feed, version) VALUES ('us', 'f1', 1), ('us', 'f2', 4), ('us', 'gone', 2);
                    UPDATE sync_head SET version = 7;
                    RESET search_path;
                    """, until: .soon)
                #expect(try await Self.readByOlderServers(connection, since: 7).isEmpty)
                try await migrate(SQLFiles.migrations, connection)
                #expect(try await Self.readByOlderServers(connection, since: 7) == ["f1", "f2"])
            }
        }
    }

    @Test("The end of a feed is forgotten when its tombstone is purged")
    func purged() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.sql(Self.feeds)
            // The newest tombstone of a feed is kept, so the sections of these feeds are deleted after them.
            try await site.sql(
                """
                UPDATE sync_head SET version = version + 4;
                UPDATE published
                SET document = NULL, hash = NULL, valid_until = NULL, gone_at = now() - interval '2 days',
                    version = \(Self.count) + version - 6
                WHERE id IN ('f7', 'f8');
                INSERT INTO published (kind, id, storefront, feed, version, gone_at)
                SELECT 'section', feed || '/a', 'us', feed, version + 2, now() FROM published WHERE id IN ('f7', 'f8');
                """)
            let opening = try await Self.opening(site.connection, endNumber: Self.count)
            #expect(opening.ends == [.init(storefront: "us", feed: "f7"): nil, .init(storefront: "us", feed: "f8"): nil])
            try await site.sql("UPDATE published SET gone_at = now() WHERE id = 'f8'; SELECT purge_published('1 day', 100)")
            let ends = "SELECT count(*) || ' ' || count(*) FILTER (WHERE feed = 'f8') FROM published_ends"
            #expect(try await site.rows(ends) == ["\(Self.count - 1) 1"])
        }
    }

    @Test("A refresh reads only the feeds whose next change by the clock is another one, even if no version was published")
    func ends() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.sql(Self.feeds)
            let start = try await Self.opening(site.connection, endNumber: 0)
            #expect(start.ends.count == Self.count)
            let changes: [(script: String, changed: [String])] = [
                ("SELECT 1", []), ("UPDATE published SET valid_until = now() WHERE id = 'f7'", ["f7"]),
                ("UPDATE published SET valid_until = NULL WHERE id = 'f8'", ["f7", "f8"]),
                ("UPDATE published SET valid_until = valid_until WHERE kind = 'feed'", ["f7", "f8"]),
            ]
            for (script, changed) in changes {
                try await site.sql(script)
                try await site.connection.transaction(until: .soon) { connection in
                    let reads = try await Self.reads(connection) {
                        let ends = try await Self.opening(connection, endNumber: start.endNumber).ends
                        #expect(ends.keys.map(\.feed).sorted() == changed, "\(script)")
                    }
                    #expect(reads < 50, "\(script)")
                }
                let older = try await Self.readByOlderServers(site.connection, since: Self.count)
                #expect(older == changed, "\(script)")
            }
            // The next refresh does not read them again, although the head is the same.
            let last = try await Self.opening(site.connection, endNumber: start.endNumber)
            #expect(last.ends.count == 2 && last.endNumber > start.endNumber)
            let next = try await Self.opening(site.connection, endNumber: last.endNumber)
            #expect(next.ends.isEmpty && next.endNumber == last.endNumber)
        }
    }
}
