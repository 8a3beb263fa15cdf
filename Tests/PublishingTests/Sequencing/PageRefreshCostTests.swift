import Feeds
import Postgres
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

    @Test("A refresh reads only the feeds whose next change by the clock is another one, even if no version was published")
    func ends() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.sql(Self.feeds)
            let start = PageReader.Start(version: Self.count, layoutVersion: 0, maxTraced: 5_000)
            let changes: [(script: String, changed: [String])] = [
                ("SELECT 1", []), ("UPDATE published SET valid_until = now() WHERE id = 'f7'", ["f7"]),
                ("UPDATE published SET valid_until = NULL WHERE id = 'f8'", ["f7", "f8"]),
                ("UPDATE published SET valid_until = valid_until WHERE kind = 'feed'", ["f7", "f8"]),
            ]
            for (script, changed) in changes {
                try await site.sql(script)
                try await site.connection.transaction(until: .soon) { connection in
                    let session = PostgresSession(connection, within: .seconds(60))
                    let reads = try await Self.reads(connection) {
                        let opened = try await session.run(PageReader.openingQueries(since: start))
                        let opening = try await PageReader(session).opening(opened, since: start, [:])
                        #expect(opening.ends.keys.map(\.feed).sorted() == changed, "\(script)")
                    }
                    #expect(reads < 50, "\(script)")
                }
            }
            try await site.sql("UPDATE sync_head SET version = version + 1")
            let next = PageReader.Start(version: Self.count + 1, layoutVersion: 0, maxTraced: 5_000)
            let session = PostgresSession(site.connection, within: .seconds(60))
            let opened = try await session.run(PageReader.openingQueries(since: next))
            #expect(try await PageReader(session).opening(opened, since: next, [:]).ends.isEmpty)
        }
    }
}
