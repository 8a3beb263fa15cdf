import Postgres
import Publishing
import Security
import TestDatabase
import Testing

@Suite("Forgetting what has gone", .databaseForEachTest)
struct PurgeTests {
    private static let catalog = """
        SELECT pg_temp.top_app('a' || n, '{"en": "App"}', rating => 4, ratings => n) FROM generate_series(1, 5) AS n;
        """

    private static func sequencer(_ shop: Shop, mostPurged: Int) throws -> Sequencer {
        Sequencer(mostPurged: mostPurged, hashedBy: Digest.sha256)
    }

    /// Runs a body with five items that are gone, in a transaction, whose time stands still.
    private static func run(
        mostPurged: Int, _ body: @escaping @Sendable (Shop, Sequencer, PostgresSession) async throws -> Void
    ) async throws {
        try await Shop.run(catalog) { shop in
            var sequencer = try sequencer(shop, mostPurged: mostPurged)
            _ = try await sequencer.drain(shop.connection, until: .soon)
            try await shop.sql("UPDATE items SET deleted_at = now()")
            _ = try await sequencer.drain(shop.connection, until: .soon)
            try await shop.sql("BEGIN")
            try await body(shop, sequencer, PostgresSession(shop.connection, within: .seconds(60)))
            try await shop.sql("ROLLBACK")
        }
    }

    private static let left = "SELECT count(*)::text FROM published WHERE document IS NULL"

    @Test("Keeps what has been gone for exactly so many days, and forgets what has been for longer")
    func age() async throws {
        try await Self.run(mostPurged: 10) { shop, sequencer, session in
            try await shop.sql("UPDATE published SET gone_at = now() - interval '3 days'")
            #expect(try await !sequencer.purge(session, olderThan: 3))
            #expect(try await shop.rows(Self.left) == ["5"])
            #expect(try await shop.rows("SELECT floor::text FROM sync_head") == ["0"])
            try await shop.sql(
                "UPDATE published SET gone_at = gone_at - interval '1 microsecond' WHERE version < (SELECT version FROM sync_head)")
            #expect(try await !sequencer.purge(session, olderThan: 3))
            #expect(try await shop.rows(Self.left) == ["1"])
            // A client with a lower version may lack one of them.
            #expect(try await shop.rows("SELECT (version - floor)::text FROM sync_head") == ["1"])
        }
    }

    @Test("Forgets so much at once, the oldest first, and says whether there may be more", arguments: [3, 5])
    func most(most: Int) async throws {
        try await Self.run(mostPurged: most) { shop, sequencer, session in
            // The last to go is the one that went first.
            try await shop.sql(
                """
                UPDATE published SET gone_at = now() - interval '9 days' - (version - first) * interval '1 hour'
                FROM (SELECT min(version) AS first FROM published) AS versions
                """)
            let oldest = try await shop.rows("SELECT id FROM published ORDER BY version LIMIT \(5 - most)")
            #expect(try await sequencer.purge(session, olderThan: 3))
            #expect(try await shop.rows("SELECT id FROM published ORDER BY version") == oldest)
            #expect(try await !sequencer.purge(session, olderThan: 3))
            #expect(try await shop.rows(Self.left) == ["0"])
        }
    }
}
