import Feeds
import Postgres
import TestDatabase
import Testing
import Values

@testable import Publishing

@Suite("The findings about schedules", .databaseForEachTest)
struct ScheduleFindingTests {
    private static let all = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"},
         "sections": [{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}]}
        """#

    /// Publishes takeovers of all storefronts, one each week, of which each lasts two days.
    private static func takeovers(_ count: Int) -> String {
        """
        SELECT count(publish(
            'today', 'takeover', 1, instant_text(date_trunc('second', now()) + week * interval '7 days'),
            instant_text(date_trunc('second', now()) + week * interval '7 days' + interval '2 days')))
        FROM generate_series(1, \(count)) AS week;
        """
    }

    /// Returns the number of scans of spans, and the number of spans that a body reads.
    private static func reads(
        _ connection: PostgresConnection, _ body: () async throws -> Void
    ) async throws -> (scans: Int, rows: Int) {
        // The counters can include earlier transactions.
        let query = PostgresQuery(
            "reads",
            """
            SELECT seq_scan + coalesce(idx_scan, 0), seq_tup_read + coalesce(idx_tup_fetch, 0)
            FROM pg_catalog.pg_stat_xact_user_tables WHERE schemaname = 'vitrine' AND relname = 'publication_spans'
            """)
        let before = try #require(try await connection.rows(of: query, as: Int.self, Int.self, until: .soon).first)
        try await body()
        let after = try #require(try await connection.rows(of: query, as: Int.self, Int.self, until: .soon).first)
        return (after.0 - before.0, after.1 - before.1)
    }

    @Test("A base that starts below a takeover ends the finding about its move, although the page stays the same")
    func hiddenStart() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            try await site.sql(
                """
                UPDATE storefronts SET time_zone = 'Europe/Berlin' WHERE key = 'us';
                SELECT publish('today', 'takeover', 1, NULL, instant_text(now() + interval '90 days')),
                    publish('today', 'base', 1, to_char(now() + interval '30 days', 'YYYY-MM-DD"T"HH24:MI'), NULL, '{us}');
                UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'us';
                """)
            var sequencer = try site.sequencer()
            let before = try await sequencer.drain(site.connection, until: .soon)
            #expect(before.findingCounts[LiveFinding.Kind(.spanMoved)] == 1)
            let start = try await site.rows(
                """
                SELECT extract(epoch FROM lower(during) - now())::bigint::text FROM publication_spans
                WHERE storefront = 'us' AND layer = 'base' AND lower(during) > now()
                """)
            let seconds = try #require(start.first.flatMap { Int($0) })
            let time = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            let next = try #require(before.nextTime)
            #expect(next <= time.advanced(by: .seconds(seconds + 1)), "the sequencer does not wake at the start")
            sequencer.clockAhead = .seconds(seconds + 1)
            let after = try await sequencer.drain(site.connection, until: .soon)
            #expect(after.endedFindings.map(\.code) == ["SPAN_MOVED"] && after.versions == 0)
        }
    }

    @Test("A takeover of less than a day has a finding from its start, and a later one at its notice, without a change between")
    func notices() async throws {
        try await Site.run(CatalogRows.served + "SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            try await site.sql(
                """
                SELECT publish('today', 'takeover', 1, instant_text(now() + interval '2 hours'), instant_text(now() + interval '5 hours')),
                    publish('today', 'takeover', 1, instant_text(now() + interval '10 days'), instant_text(now() + interval '14 days'))
                """)
            var sequencer = try site.sequencer()
            var codes: [[String]] = []
            for hours in [0, 3, 6, 24 * 12, 24 * 13 + 1, 24 * 15] {
                sequencer.clockAhead = .seconds(hours * 3_600)
                let report = try await sequencer.drain(site.connection, until: .soon)
                codes.append(report.startedFindings.map(\.code) + report.endedFindings.map { "-\($0.code)" })
            }
            #expect(codes == [[], ["TAKEOVER_ENDS"], ["-TAKEOVER_ENDS"], [], ["TAKEOVER_ENDS"], ["-TAKEOVER_ENDS"]])
        }
    }

    @Test("The bases are read once for all takeovers, and only the takeovers that can be noticed soon are")
    func reads() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            try await site.sql(Self.takeovers(20))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.connection.transaction(until: .soon) { connection in
                let reads = try await Self.reads(connection) {
                    let query = PostgresQuery("ahead", "SELECT count(*), count(*) FILTER (WHERE is_above_base) FROM takeovers_ahead(now())")
                    let counts = try await connection.rows(of: query, as: Int.self, Int.self, until: .soon)
                    #expect(counts.first.map { $0 == (60, 60) } ?? false)
                }
                #expect(reads.scans < 10, "the bases are read for each takeover")
            }
            // Only the next takeover in each storefront can be noticed before the schedule is read again.
            let notice = TakeoverAhead.notice.wholeMicroseconds
            let takeovers = "SELECT publication FROM (\(SequencerQueries.takeovers.text)) AS takeovers"
            let next = try await site.connection.rows(of: PostgresQuery("takeovers", takeovers, 0, notice), as: Int.self, until: .soon)
            #expect(next == [2, 2, 2])
        }
    }

    @Test("A takeover above no base at its end is found among others, also if it has no end")
    func bases() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.sql("SELECT save_revision('today', 'main', '\(Self.all)')")
            // In `us`, the base starts during the first takeover. In `sa`, it starts after all of them. In `de`, none starts.
            try await site.sql(
                """
                SELECT
                    publish('today', 'takeover', 1, NULL, instant_text(now() + interval '2 days')),
                    publish('today', 'takeover', 1, instant_text(now() + interval '3 days'), instant_text(now() + interval '4 days')),
                    publish('today', 'takeover', 1, instant_text(now() + interval '5 days')),
                    publish('today', 'base', 1, instant_text(now() + interval '1 day'), NULL, '{us}'),
                    publish('today', 'base', 1, instant_text(now() + interval '6 days'), NULL, '{sa}')
                """)
            let found = try await site.rows(
                "SELECT concat_ws(' ', storefront, publication, is_above_base) FROM takeovers_ahead(now()) ORDER BY storefront, publication"
            )
            #expect(
                found == [
                    "de 1 f", "de 2 f", "de 3 f", "sa 1 f", "sa 2 f", "sa 3 t", "us 1 t", "us 2 t", "us 3 t",
                ])
        }
    }

    @Test("A server reads few spans of a long schedule for the next start in each storefront")
    func beginnings() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            try await site.sql(
                """
                SELECT set_config('vitrine.present', '2020-01-01T00:00:00Z', false);
                INSERT INTO publications (feed, layer, revision, from_text, until_text)
                SELECT 'today', 'takeover', 1, instant_text(start), instant_text(start + interval '1 hour')
                FROM generate_series(date_trunc('hour', now()) - interval '300 hours', now() + interval '300 hours', '1 hour') AS start;
                INSERT INTO publication_spans (publication, feed, layer, storefront, during)
                SELECT id, feed, layer, key, tstzrange(from_text::timestamptz, until_text::timestamptz)
                FROM publications CROSS JOIN storefronts WHERE layer = 'takeover';
                SELECT set_config('vitrine.present', '', false);
                ANALYZE publication_spans, storefronts;
                """)
            try await site.connection.transaction(until: .soon) { connection in
                let reads = try await Self.reads(connection) {
                    let head = try await PageReader(PostgresSession(connection, within: .seconds(60))).head()
                    #expect(head.nextBeginnings.keys.sorted() == ["de", "sa", "us"])
                    #expect(head.nextBeginnings.values.allSatisfy { $0 > head.time && $0 <= head.time.advanced(by: .seconds(3_600)) })
                }
                #expect(reads.rows < 30, "the history is read too")
            }
        }
    }

    @Test("The present publications of a feed are the same among those of all feeds, in one row for each period")
    func present() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            try await site.publish(Self.all)
            try await site.sql(Self.takeovers(2))
            try await site.sql("SELECT cancel_publication(3, '{sa}'), publish('today', 'base', 1, '2099-03-01T00:00', NULL, '{us,de}')")
            let store = FeedStore(PostgresSession(site.connection, within: .seconds(60)))
            let now = try await store.now()
            let all = try await store.publications(notOverAt: now)
            #expect(all.map(\.id) == [2, 3, 4, 5])
            #expect(all.map { $0.spans.map(\.storefront) } == [["de", "sa", "us"], ["de", "us"], ["de", "sa", "us"], ["de", "us"]])
            #expect(try await store.publications(of: FeedKey("today"), notOverAt: now) == all)
            for publication in all { #expect(try await store.publication(publication.id) == publication) }
            // The live revisions follow from them, also at later times and without a closed storefront.
            for (days, closed) in [(0, nil), (8, nil), (15, "sa"), (30_000, "sa")] as [(Int, String?)] {
                if let closed { try await site.sql("UPDATE storefronts SET closed_at = now() WHERE key = '\(closed)'") }
                let time = now.advanced(by: .seconds(days * 86_400))
                let open = Set(Site.storefronts).subtracting([closed].compactMap(\.self))
                let feeds = try await store.feeds(at: time)
                #expect(feeds.first?.live.isEmpty == false)
                #expect(try await store.feeds(at: time, of: all, in: open) == feeds, "after \(days) days")
            }
            // The base of `us` and `de` has two ends, and the last one has two starts.
            let present = "SELECT id FROM (\(FeedQueries.presentPublications.text)) AS present"
            let rows = try await site.connection.rows(of: PostgresQuery("present", present, now), as: Int.self, until: .soon)
            #expect(rows.sorted() == [2, 2, 2, 3, 4, 5, 5])
        }
    }
}
