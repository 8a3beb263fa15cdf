import Catalog
import EventLoop
import Host
import Items
import Postgres
import TestDatabase
import Testing

@testable import Sync

/// The queries of sync, on two catalogs, one of which is four times as large.
@Suite("The queries of sync")
struct SyncPlanTests {
    private struct Read: Sendable {
        let name: String
        /// The minimum number of rows that the query finds.
        let least: Int
        let run: @Sendable (SyncReader, Int) async throws -> Int

        init(_ name: String, least: Int, _ run: @escaping @Sendable (SyncReader, Int) async throws -> Int) {
            self.name = name
            self.least = least
            self.run = run
        }

        /// Creates the query of a page that starts after a fraction of all versions.
        init(_ name: String, _ scope: SyncScope, after part: Double? = nil, least: Int) {
            self.init(name, least: least) { reader, head in
                let cursor = part.map { SyncCursor(epoch: EpochID(nonce: 1), version: Int(Double(head) * $0)) }
                return try await reader.read(scope, after: cursor, within: .init()).rows.count
            }
        }
    }

    private static let feeds = SyncScope.testing("us", ["today"])

    private static let reads: [Read] = [
        Read("the first page of a catalog", .testing(), least: 200),
        Read("a delta in the middle of a catalog", .testing(), after: 0.125, least: 200),
        Read("a delta at the head of a catalog", .testing(), after: 1, least: 0),
        Read("the first load of a feed", feeds, least: 100),
        Read("a delta of a feed in the middle", feeds, after: 0.5, least: 20),
        Read("a delta of a feed at the head", feeds, after: 1, least: 0),
        Read("the entries of one bucket", least: 5) { reader, _ in
            let bits = try await reader.buckets(of: .testing()).digests().folded(to: nil).bits
            return try await reader.entries(of: .testing(), in: [0], bits: bits, limit: 100).listing().entries.count
        },
        Read("what proves a feed", least: 100) { reader, _ in try await reader.proof(of: feeds).entries },
    ]

    /// Returns a script that publishes a feed of 50 items at any size. Half of the items are in only one storefront.
    private static func fill(_ size: Int) -> String {
        """
        INSERT INTO published (kind, id, storefront, is_everywhere, version, document, hash)
        SELECT 'item', lpad(to_hex(n), 32, '0')::uuid, '*', n % 2 = 0, n, document, substring(digest_of(document::text) FOR 16)
        FROM generate_series(1, \(size)) AS n CROSS JOIN LATERAL (SELECT json_build_object('n', n) AS document) AS documents;
        INSERT INTO published (kind, id, storefront, item_id, version, document, hash)
        SELECT 'membership', '*/' || id, CASE WHEN version % 4 = 1 THEN 'us' ELSE 'de' END, id::uuid, version + \(size), document, hash
        FROM published WHERE kind = 'item' AND NOT is_everywhere;
        INSERT INTO published (kind, id, storefront, feed, item_id, version, document, hash)
        SELECT kind::published_kind, 'today' || path || id, 'us', 'today', id::uuid, version + offset_version, document, hash
        FROM (SELECT id, version, document, hash FROM published WHERE kind = 'item' AND version % (\(size) / 50) = 0) AS items
        CROSS JOIN (VALUES ('membership', '/', \(2 * size)), ('placement', '/all/', \(3 * size))) AS kinds (kind, path, offset_version);
        INSERT INTO sync_epoch (number, nonce, start_version, identity) VALUES (1, '\\x0000000000000001', 0, 'test');
        UPDATE sync_head SET version = (SELECT max(version) FROM published);
        INSERT INTO sync_buckets SELECT storefront, bucket, entries, high, low FROM counted_buckets(0, 65536);
        """
    }

    private static let touched = PostgresQuery(
        "touched",
        """
        SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint FROM pg_class
        WHERE relnamespace = 'vitrine'::regnamespace AND relkind IN ('r', 'i') AND relname <> 'sync_buckets' AND relname <> 'sync_buckets_pkey'
        """)

    private static func touches(_ size: Int, _ mode: String) async throws -> [Int] {
        let counts = Locked<[Int]>([])
        try await ScratchDatabase.run { database in
            try await withConnection(database.configuration) { connection in
                try await connection.runScript("rows", "SET search_path = vitrine, public; \(fill(size))", until: .soon)
                try await connection.runScript("vacuum", "VACUUM ANALYZE", until: .soon)
                try await connection.runScript("mode", "SET plan_cache_mode = \(mode)", until: .soon)
                let reader = SyncReader(PostgresSession(connection, within: .seconds(60)))
                for read in reads {
                    try await connection.runScript("begin", "BEGIN", until: .soon)
                    let before = try await connection.rows(of: touched, as: Int.self, until: .soon)
                    let found = try await read.run(reader, 4 * size)
                    let after = try await connection.rows(of: touched, as: Int.self, until: .soon)
                    try await connection.runScript("end", "COMMIT", until: .soon)
                    #expect(found >= read.least, "\(read.name): \(found)")
                    counts.withLock { $0.append((after.first ?? 0) - (before.first ?? 0)) }
                }
            }
        }
        return counts.withLock { $0 }
    }

    @Test("The digest of a catalog is that of its digest buckets, and is read without them")
    func catalogDigest() async throws {
        let reads = PostgresQuery(
            "reads",
            """
            SELECT seq_tup_read + coalesce(idx_tup_fetch, 0)
            FROM pg_catalog.pg_stat_xact_user_tables WHERE schemaname = 'vitrine' AND relname = 'sync_buckets'
            """)
        let sum = PostgresQuery(
            "sum",
            "SELECT sum(entries)::bigint, bit_xor(high), bit_xor(low) FROM vitrine.sync_buckets WHERE storefront IN ('*', 'us')")
        try await ScratchDatabase.run { database in
            try await withConnection(database.configuration) { connection in
                try await connection.runScript("rows", "SET search_path = vitrine, public; \(Self.fill(1_000))", until: .soon)
                try await connection.runScript("begin", "BEGIN", until: .soon)
                let before = try await connection.rows(of: reads, as: Int.self, until: .soon)
                let proof = try await SyncReader(PostgresSession(connection, within: .seconds(60))).proof(of: .testing("us"))
                let after = try await connection.rows(of: reads, as: Int.self, until: .soon)
                #expect(before.count == 1 && after == before)
                let (entries, high, low) = try #require(
                    try await connection.rows(of: sum, as: Int.self, Int.self, Int.self, until: .soon).first)
                try await connection.runScript("end", "COMMIT", until: .soon)
                #expect(proof.entries == entries && proof.whole == SyncDigest(high: high, low: low) && entries == 750)
            }
        }
    }

    @Test(
        "A query reads no more rows in a catalog that is four times as large, with a custom or a generic plan",
        arguments: ["force_custom_plan", "force_generic_plan"])
    func proportion(mode: String) async throws {
        let (small, large) = (try await Self.touches(6_000, mode), try await Self.touches(24_000, mode))
        for (number, read) in Self.reads.enumerated() {
            #expect(large[number] <= 2 * small[number] + 1_000, "\(read.name): \(small[number]) and \(large[number])")
            #expect(large[number] > 0, "\(read.name)")
        }
    }
}
