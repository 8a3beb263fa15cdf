import EventLoop
import Feeds
import Host
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import Publishing

/// The queries of the status, on a database with many items and revisions.
@Suite("The queries of the status")
struct StatusPlanTests {
    private static let modes = ["force_custom_plan", "force_generic_plan"]

    /// The rows that the session has read and not reported yet, which within a transaction are all rows.
    private static let touched = PostgresQuery(
        "touched",
        """
        SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint FROM pg_class
        WHERE relnamespace = 'vitrine'::regnamespace AND relkind IN ('r', 'i')
        """)

    /// Returns the facts, and the number of rows and index entries that the status reads.
    private static func read(_ site: Site, in storefront: String?) async throws -> (facts: StatusFacts, count: Int) {
        try await site.connection.transaction(TransactionOptions(isolation: .repeatableRead), until: .soon) { connection in
            let session = PostgresSession(inTransactionOf: connection, within: .seconds(60))
            let before = try await connection.rows(of: touched, as: Int.self, until: .soon).first ?? 0
            let facts = try await StatusReader(session).facts(in: storefront, of: ["us", "de"])
            return (facts, (try await connection.rows(of: touched, as: Int.self, until: .soon).first ?? 0) - before)
        }
    }

    /// Returns the numbers of rows that the status reads, by plan mode and storefront.
    private static func counts(_ size: Int) async throws -> [Int] {
        let counts = Locked<[Int]>([])
        let items = "SELECT pg_temp.top_app('a' || n, '{\"en\": \"Anchor\"}') FROM generate_series(1, \(size)) AS n;"
        try await ScratchDatabase.run { database in
            try await Site.run(items, in: database.configuration) { site in
                try await site.publish(#"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": []}"#)
                try await site.sql(
                    """
                    SELECT vitrine.save_revision('today', 'main', '{"feed":"today","sections":[],"n":' || n || '}')
                    FROM generate_series(1, \(size / 4)) AS n
                    """)
                var sequencer = try site.sequencer()
                _ = try await sequencer.drain(site.connection, until: .soon)
                try await site.sql("VACUUM ANALYZE")
                for mode in modes {
                    try await site.sql("SET plan_cache_mode = \(mode)")
                    for storefront in [nil, "us"] {
                        let (facts, count) = try await read(site, in: storefront)
                        #expect(facts.storefronts.first?.feeds.map(\.feed) == ["today"] && facts.pendingSince == nil)
                        counts.withLock { $0.append(count) }
                    }
                }
                // The queue of the index is read up to a limit.
                try await site.sql("INSERT INTO stale_items SELECT ARRAY[gen_random_uuid()] FROM generate_series(1, \(10 * size))")
                let (facts, count) = try await read(site, in: nil)
                #expect(facts.pendingItemCount == min(10 * size, ServerStatus.maxPendingItemCount))
                #expect(count <= ServerStatus.maxPendingItemCount + counts.withLock { $0.max() ?? 0 }, "\(count)")
            }
        }
        return counts.withLock { $0 }
    }

    @Test("The status reads a hundred rows at most of a database with thousands, with a custom or a generic plan")
    func bounded() async throws {
        let counts = try await Self.counts(4_000)
        #expect(counts.count == 4 && counts.allSatisfy { 1...100 ~= $0 }, "\(counts)")
    }

    @Test(
        "With many storefronts, the status reads a finding once in each, the present spans four times at most, and returns each finding once"
    )
    func manyStorefronts() async throws {
        let (storefronts, feeds, findings) = (40, 10, 3)
        try await ScratchDatabase.run { database in
            try await Site.run("", in: database.configuration) { site in
                try await site.sql(
                    """
                    BEGIN;
                    INSERT INTO storefronts (key, currency, time_zone, default_locale)
                    SELECT 'xx-' || n, 'USD', 'America/New_York', 'en' FROM generate_series(4, \(storefronts)) AS n;
                    INSERT INTO storefront_locales (storefront, locale, rank) SELECT key, 'en', 1 FROM storefronts WHERE key LIKE 'xx-%';
                    COMMIT;
                    INSERT INTO feeds (key) SELECT 'f' || n FROM generate_series(1, \(feeds)) AS n;
                    INSERT INTO revisions (feed, number, line, document) SELECT key, 1, 'main', format('{"feed": "%s"}', key) FROM feeds;
                    SELECT count(publish(key, 'base', 1)) FROM feeds;
                    INSERT INTO live_findings (feed, code, subject, storefront, severity, section, revision, pointer, message, help, since)
                    SELECT
                        feeds.key, 'PIN_GONE', 'hero/' || n, storefronts.key, 'warning', 'hero', 1, '/sections/0', 'gone', 'help',
                        now() + n * interval '1 second'
                    FROM feeds, generate_series(1, \(findings)) AS n, storefronts;
                    """)
                // So that the status does not look for its keys.
                try await site.sql("DELETE FROM sync_outbox")
                try await site.sql("VACUUM ANALYZE")
                let (facts, count) = try await Self.read(site, in: nil)
                #expect(facts.findings.count == feeds * findings)
                #expect(facts.findings.allSatisfy { $0.storefronts.count == storefronts && $0.storefronts == $0.storefronts.sorted() })
                #expect(facts.feeds.count == feeds && facts.feeds.allSatisfy { $0.live.map(\.storefronts.count) == [storefronts] })
                let (spans, all) = (storefronts * feeds, storefronts * feeds * findings)
                #expect(count <= all + 4 * spans + 150, "\(count) rows")
                let query = PostgresQuery(StatusQueries.findings, String?.none, String?.none, String?.none)
                #expect(try await site.connection.run(query, until: .soon).rowCount == feeds * findings)
                let one = try await Self.read(site, in: "us").facts
                #expect(one.findings.count == feeds * findings && one.findings.allSatisfy { $0.storefronts == ["us"] })
            }
        }
    }

    /// `DRAIN_STOREFRONTS=200` measures the time of a status of that many storefronts, with the limit of the product.
    private static let measured = TestVariable.number("DRAIN_STOREFRONTS").map { Int(clamping: $0) }

    @Test(
        "The status of ten feeds in many storefronts takes at most 200 ms", .timeLimit(.minutes(5)),
        .enabled(if: measured != nil, "DRAIN_STOREFRONTS is not set"))
    func time() async throws {
        let storefronts = try #require(Self.measured)
        try await ScratchDatabase.run { database in
            try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}');", in: database.configuration) { site in
                try await site.sql(
                    """
                    BEGIN;
                    INSERT INTO storefronts (key, currency, time_zone, default_locale)
                    SELECT 'xx-' || n, 'USD', ('{America/New_York,Europe/Berlin,Asia/Tokyo,Asia/Riyadh}'::text[])[1 + n % 4], 'en'
                    FROM generate_series(4, \(storefronts)) AS n;
                    INSERT INTO storefront_locales (storefront, locale, rank) SELECT key, 'en', 1 FROM storefronts WHERE key LIKE 'xx-%';
                    COMMIT;
                    """)
                for number in 1...10 {
                    let section = #"{"key": "s", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "minItems": 2}"#
                    try await site.publish(
                        #"{"format": 2, "feed": "f\#(number)", "title": {"en": "Feed"}, "sections": [\#(section)]}"#)
                }
                // The takeovers end at a different time in each zone.
                try await site.sql(
                    """
                    SELECT publish(key, 'takeover', 1, NULL, to_char(now() + interval '3 days', 'YYYY-MM-DD"T"HH24:MI')) FROM feeds
                    """)
                var sequencer = try site.sequencer()
                _ = try await sequencer.drain(site.connection, until: .soon)
                try await site.sql("VACUUM ANALYZE")
                let keys = try await site.rows("SELECT key FROM storefronts ORDER BY key COLLATE \"C\"")
                #expect(keys.count == storefronts)
                var durations: [Duration] = []
                for _ in 0..<5 {
                    let start = ContinuousClock.now
                    let options = TransactionOptions(isolation: .repeatableRead)
                    let facts = try await site.connection.transaction(options, until: .soon) { connection in
                        try await StatusReader(PostgresSession(inTransactionOf: connection, within: .seconds(60))).facts(in: nil, of: keys)
                    }
                    let status = ServerStatus(facts)
                    _ = try status.json()
                    durations.append(start.duration(to: .now))
                    #expect(status.storefronts.count == storefronts && status.storefronts.allSatisfy { $0.feeds.count == 10 })
                    #expect(status.findings.count >= 10 && status.feeds.allSatisfy { $0.live.count >= 4 })
                }
                #expect(durations.sorted()[2] <= .milliseconds(200), "\(durations)")
            }
        }
    }
}
