import Postgres
import Publishing
import Security
import TestDatabase
import Testing

@Suite("The purge of tombstones", .databaseForEachTest)
struct PurgeTests {
    private static let catalog = """
        SELECT pg_temp.top_app('a' || n, '{"en": "App"}', rating => 4, ratings => n) FROM generate_series(1, 5) AS n;
        """

    private static func sequencer(_ site: Site, maxPurged: Int) throws -> Sequencer {
        Sequencer(maxPurged: maxPurged, hashedBy: Digest.sha256)
    }

    /// Runs a body with five tombstones, in a transaction, within which time does not advance.
    private static func run(
        maxPurged: Int, _ body: @escaping @Sendable (Site, Sequencer, PostgresSession) async throws -> Void
    ) async throws {
        try await Site.run(catalog) { site in
            var sequencer = try sequencer(site, maxPurged: maxPurged)
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("UPDATE items SET deleted_at = now()")
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("BEGIN")
            try await body(site, sequencer, PostgresSession(site.connection, within: .seconds(60)))
            try await site.sql("ROLLBACK")
        }
    }

    private static let left = "SELECT count(*)::text FROM published WHERE document IS NULL"

    @Test("A purge keeps tombstones that are exactly as old as the limit, and deletes older ones")
    func age() async throws {
        try await Self.run(maxPurged: 10) { site, sequencer, session in
            try await site.sql("UPDATE published SET gone_at = now() - interval '3 days'")
            #expect(try await !sequencer.purge(session, olderThan: .seconds(3 * 86_400)))
            #expect(try await site.rows(Self.left) == ["5"])
            #expect(try await site.rows("SELECT floor::text FROM sync_head") == ["0"])
            try await site.sql(
                "UPDATE published SET gone_at = gone_at - interval '1 microsecond' WHERE version < (SELECT version FROM sync_head)")
            #expect(try await !sequencer.purge(session, olderThan: .seconds(3 * 86_400)))
            #expect(try await site.rows(Self.left) == ["1"])
            // A client with a lower version may lack one of the deletions.
            #expect(try await site.rows("SELECT (version - floor)::text FROM sync_head") == ["1"])
        }
    }

    @Test("A purge deletes a limited number of tombstones, oldest first, and returns whether more may remain", arguments: [3, 5])
    func maximum(maximum: Int) async throws {
        try await Self.run(maxPurged: maximum) { site, sequencer, session in
            // The item that is deleted last has the oldest tombstone.
            try await site.sql(
                """
                UPDATE published SET gone_at = now() - interval '9 days' - (version - first) * interval '1 hour'
                FROM (SELECT min(version) AS first FROM published) AS versions
                """)
            let oldest = try await site.rows("SELECT id FROM published ORDER BY version LIMIT \(5 - maximum)")
            #expect(try await sequencer.purge(session, olderThan: .seconds(3 * 86_400)))
            #expect(try await site.rows("SELECT id FROM published ORDER BY version") == oldest)
            #expect(try await !sequencer.purge(session, olderThan: .seconds(3 * 86_400)))
            #expect(try await site.rows(Self.left) == ["0"])
        }
    }
}
