import EventLoop
import Host
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Publishing

/// The rows that a drain reads, which are the same on a busy machine.
@Suite("The cost of a drain", .databaseForEachTest)
struct DrainCostTests {
    /// The number of storefronts for which the time of a drain is also measured, with the limit of the product.
    private static let measured = TestVariable.number("DRAIN_STOREFRONTS").map { Int(clamping: $0) }

    /// The rows and scans of a drain, by table.
    private struct Reads {
        var rows: [String: Int] = [:]
        var scans: [String: Int] = [:]
        var allRows: Int { rows.values.reduce(0, +) }
    }

    /// Adds storefronts next to `us`, `de` and `sa`.
    private static func storefronts(_ count: Int) -> String {
        """
        BEGIN;
        INSERT INTO storefronts (key, currency, time_zone, default_locale)
        SELECT 'xx-' || n, 'USD', 'America/New_York', 'en' FROM generate_series(1, \(count)) AS n;
        INSERT INTO storefront_locales (storefront, locale, rank) SELECT key, 'en', 1 FROM storefronts WHERE key LIKE 'xx-%';
        COMMIT;
        """
    }

    /// Returns a feed whose sections all show items of a kind. If they do not repeat items, a section leaves out those of all
    /// sections above.
    private static func feed(_ key: String, sections: Int = 1, kind: String = "topApp", repeatsItems: Bool = true) -> String {
        let all = (0..<sections).map { index in
            let above = repeatsItems ? [] : (0..<index).map { #", {"not": {"inSection": "s\#($0)"}}"# }
            let rule = #"{"all": [{"kind": "\#(kind)"}\#(above.joined())]}"#
            return #"{"key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "rule": \#(rule), "size": 10}"#
        }
        return #"{"format": 2, "feed": "\#(key)", "title": {"en": "Feed"}, "sections": [\#(all.joined(separator: ", "))]}"#
    }

    private static func counts(_ connection: PostgresConnection) async throws -> Reads {
        let query = PostgresQuery(
            "reads",
            """
            SELECT relname::text, seq_tup_read + coalesce(idx_tup_fetch, 0), seq_scan + coalesce(idx_scan, 0)
            FROM pg_catalog.pg_stat_xact_user_tables WHERE schemaname = 'vitrine'
            """)
        return try await connection.rows(of: query, as: String.self, Int.self, Int.self, until: .soon).reduce(into: Reads()) {
            ($0.rows[$1.0], $0.scans[$1.0]) = ($1.1, $1.2)
        }
    }

    /// Drains in one transaction, and returns what it has read.
    private static func drain(_ site: Site, _ sequencer: inout Sequencer) async throws -> (report: Sequencer.Report, reads: Reads) {
        var copy = sequencer
        let result = try await site.connection.transaction(TransactionOptions(isolation: .repeatableRead), until: .soon) { connection in
            let before = try await counts(connection)
            let report = try await copy.drain(PostgresSession(inTransactionOf: connection, within: .seconds(60)))
            var reads = try await counts(connection)
            for (table, count) in before.rows { reads.rows[table, default: 0] -= count }
            for (table, count) in before.scans { reads.scans[table, default: 0] -= count }
            return (report, reads)
        }
        sequencer = copy
        return result
    }

    @Test("A drain reads spans only if a schedule has changed, or if the clock has reached a start or an end")
    func spans() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}');" + Self.storefronts(20)) { site in
            for feed in ["today", "apps", "games"] { try await site.publish(Self.feed(feed)) }
            var sequencer = try site.sequencer()
            #expect(try await Self.drain(site, &sequencer).reads.rows["publication_spans"] ?? 0 > 0)
            try await site.sql("UPDATE item_texts SET title = 'Anker'")
            var (report, reads) = try await Self.drain(site, &sequencer)
            #expect(report.versions > 0 && reads.scans["publication_spans"] ?? 0 == 0, "\(reads)")

            try await site.sql(
                "SELECT publish('today', 'takeover', 1, NULL, instant_text(date_trunc('second', now()) + interval '2 hours'), '{us}')")
            (report, reads) = try await Self.drain(site, &sequencer)
            #expect(reads.scans["publication_spans"] ?? 0 > 0)
            let end = try #require(report.nextTime)
            #expect(try await site.rows("SELECT count(*)::text FROM published WHERE kind = 'feed' AND valid_until IS NOT NULL") == ["1"])
            (_, reads) = try await Self.drain(site, &sequencer)
            #expect(reads.scans["publication_spans"] ?? 0 == 0, "\(reads)")
            let time = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            sequencer.clockAhead = time.duration(to: end) + .seconds(1)
            (report, reads) = try await Self.drain(site, &sequencer)
            #expect(reads.scans["publication_spans"] ?? 0 > 0)
            #expect(try await site.rows("SELECT count(*)::text FROM published WHERE kind = 'feed' AND valid_until IS NOT NULL") == ["0"])
        }
    }

    @Test("A sequencer remembers retained sections and the ends of sections only for the feeds that have them")
    func entries() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}');" + Self.storefronts(20)) { site in
            for feed in ["today", "apps", "games"] { try await site.publish(Self.feed(feed)) }
            try await site.publish(Self.feed("few").replacing(#""size""#, with: #""minItems": 2, "size""#))
            let sequencer = try site.sequencer()
            let session = PostgresSession(site.connection, within: .seconds(60))
            let options = TransactionOptions(isolation: .repeatableRead)
            let state = try await session.transaction(options, opening: Drain.openingQueries(of: sequencer)) { session, opened in
                var drain = Drain(sequencer, nil, session)
                return (try await drain.run(opened).0, drain.closing)
            }
            #expect(state.published.count == 4 * 23 && state.retainedSections.count == 23 && state.sectionEnds.isEmpty)
        }
    }

    @Test("A changed item with an end reads the next ends in its storefronts, and the facts of no other item")
    func bounds() async throws {
        let (storefronts, dishes) = (30, 5)
        let catalog = """
            SELECT pg_temp.food_app(format('%s-%s', key, n), '{"en": "Dish"}', storefront => key,
                during => tstzmultirange(tstzrange(NULL, date_trunc('hour', now()) + n * interval '2 hours')))
            FROM storefronts CROSS JOIN generate_series(1, \(dishes)) AS n;
            """
        try await Site.run(Self.storefronts(storefronts) + catalog) { site in
            // Tables of a few pages are otherwise read as a whole.
            try await site.sql("SET enable_seqscan = off")
            // A commit of more than 100 items does not index them.
            try await site.sql("SELECT derive_items(1000)")
            try await site.publish(Self.feed("food", kind: "foodApp"))
            var sequencer = try site.sequencer()
            let first = try await Self.drain(site, &sequencer)
            #expect(first.reads.rows["listings"] ?? 0 > storefronts * dishes)
            let end = try #require(first.report.nextTime)

            try await site.sql("UPDATE item_texts SET title = 'Soup' WHERE item_id = (SELECT id FROM items WHERE slug = 'us-2')")
            let (report, reads) = try await Self.drain(site, &sequencer)
            #expect(report.versions > 0 && report.nextTime == end)
            // Each storefront is searched for ends that have passed.
            #expect(reads.scans["availability_bounds"] ?? 0 < storefronts + 20, "\(reads)")
            // The changed item can be found by a scan of each small scope. The facts of all ends would be twice as many rows more.
            #expect(reads.rows["listings"] ?? 0 < 2 * storefronts * dishes, "\(reads)")

            // The first end in each storefront moves, and only that of `us` is reached.
            try await site.sql(
                """
                UPDATE item_availability SET during = tstzmultirange(tstzrange(NULL, '\(end)'::timestamptz - interval '30 minutes'))
                WHERE item_id = (SELECT id FROM items WHERE slug = 'us-2')
                """)
            #expect(try await Self.drain(site, &sequencer).report.nextTime == end.advanced(by: .seconds(-1_800)))
            let ends = try await site.rows(
                "SELECT DISTINCT extract(epoch FROM valid_until)::bigint::text FROM published WHERE kind = 'feed' ORDER BY 1")
            #expect(ends.count == 2, "\(ends)")
        }
    }

    @Test("A few items are published with a plan that is made once, and that reads only their rows after the tables have grown")
    func planOfItems() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            // The item is published, so nothing is written.
            let publish = "SELECT vitrine.publish_items(ARRAY[md5('a')::uuid], 1000, now(), '{}')"
            /// Returns the shortest of several times.
            func time(after script: String) async throws -> Duration {
                var shortest = Duration.seconds(60)
                for _ in 0..<20 {
                    try await site.sql(script)
                    let start = ContinuousClock.now
                    try await site.sql(publish)
                    shortest = min(shortest, start.duration(to: .now))
                }
                return shortest
            }
            let (planned, again) = (try await time(after: "DISCARD PLANS"), try await time(after: "SELECT"))
            // It is about a tenth.
            #expect(again * 2 < planned, "\(again) with the plan, and \(planned) with a new one")

            try await site.sql("SELECT pg_temp.top_app('x' || n, '{\"en\": \"Crate\"}') FROM generate_series(1, 1000) AS n")
            let grown = try await Self.rows(of: publish, site)
            #expect(grown > 0 && grown < 200)
            // The database makes a new plan for analyzed tables.
            try await site.sql("ANALYZE")
            let analyzed = try await Self.rows(of: publish, site)
            #expect(analyzed > 0 && analyzed < 200)
        }
    }

    /// Returns the number of rows that a script reads.
    private static func rows(of script: String, _ site: Site) async throws -> Int {
        try await site.connection.transaction(until: .soon) { connection in
            let before = try await counts(connection).allRows
            try await connection.runScript("script", script, until: .soon)
            return try await counts(connection).allRows - before
        }
    }

    @Test(
        "The publication of items restores the settings of the session",
        arguments: [["on", "on", "on"], ["off", "on", "on"], ["on", "off", "on"], ["on", "on", "off"], ["off", "off", "off"]])
    func settings(values: [String]) async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            let names = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"]
            for (name, value) in zip(names, values) { try await site.sql("SET \(name) = \(value)") }
            // The settings of the function end with the transaction, in which the drain does more.
            let settings = try await site.connection.transaction(until: .soon) { connection in
                try await connection.runScript(
                    "publish", "SELECT vitrine.publish_items(ARRAY[md5('a')::uuid], 1000, now(), '{}')", until: .soon)
                let query = PostgresQuery(
                    "settings", "SELECT current_setting(name) FROM unnest($1::text[]) AS names (name)", names + ["plan_cache_mode"])
                return try await connection.rows(of: query, as: String.self, until: .soon)
            }
            #expect(settings == values + ["auto"])
        }
    }

    @Test(
        "More than five items have a plan of their own, because the kept one would compare all of their memberships with each other",
        arguments: [(1, "off"), (5, "off"), (6, "on"), (100, "on")])
    func planOfManyItems(items: Int, hashJoins: String) async throws {
        let catalog = "SELECT pg_temp.top_app('a' || n, '{\"en\": \"Anchor\"}') FROM generate_series(1, \(items)) AS n;"
        // Each statement that writes items notes how the planner can join rows.
        let notes = """
            CREATE TABLE used_settings (hash_joins text);
            CREATE FUNCTION note_settings() RETURNS trigger LANGUAGE plpgsql
            AS $$
            BEGIN
                INSERT INTO vitrine.used_settings VALUES (current_setting('enable_hashjoin'));
                RETURN NULL;
            END
            $$;
            CREATE TRIGGER note_settings AFTER INSERT ON published FOR EACH STATEMENT EXECUTE FUNCTION note_settings();
            """
        try await Site.run(catalog + Self.storefronts(20)) { site in
            func publish(after head: Int) async throws {
                let touched = "ARRAY(SELECT md5('a' || n)::uuid FROM generate_series(1, \(items)) AS n)"
                try await site.sql("SELECT vitrine.publish_items(\(touched), \(head), now(), '{}')")
            }
            try await publish(after: 1_000)
            try await site.sql(
                """
                UPDATE items SET is_everywhere = false;
                INSERT INTO item_availability (item_id, storefront, during)
                SELECT id, key, '{(,)}' FROM items CROSS JOIN storefronts WHERE key <> 'us';
                """ + notes)
            try await publish(after: 2_000)
            #expect(try await site.rows("SELECT DISTINCT hash_joins FROM used_settings") == [hashJoins])
            // Each item leaves one storefront, and has a membership in each other one.
            let members = """
                SELECT concat_ws(' ', storefront = 'us', document IS NULL, count(*)) FROM published WHERE kind = 'membership'
                GROUP BY storefront = 'us', document IS NULL ORDER BY 1
                """
            #expect(try await site.rows(members) == ["f f \(22 * items)", "t t \(items)"])
        }
    }

    /// Publishes a feed of ten sections in some storefronts next to `us`, `de` and `sa`, and returns the cost of the drain with its
    /// findings.
    private static func publication(
        of feed: String, in storefronts: Int, _ items: String
    ) async throws -> (rows: Int, duration: Duration, findings: Int) {
        let result = Locked((rows: 0, duration: Duration.zero, findings: 0))
        try await ScratchDatabase.run { database in
            try await Site.run(Self.storefronts(storefronts) + items, in: database.configuration) { site in
                try await site.sql("SET enable_seqscan = off")
                try await site.publish(Self.feed("other"))
                var sequencer = try site.sequencer()
                _ = try await sequencer.drain(site.connection, until: .soon)
                try await site.sql("VACUUM ANALYZE")
                try await site.publish(feed)
                let start = ContinuousClock.now
                let (report, reads) = try await Self.drain(site, &sequencer)
                let duration = start.duration(to: .now)
                #expect(report.composedSections == 10 * (storefronts + 3))
                let findings = try await site.rows("SELECT count(*)::text FROM live_findings WHERE feed = 'today'").first
                result.withLock { $0 = (reads.allRows, duration, findings.flatMap { Int($0) } ?? 0) }
            }
        }
        return result.withLock { $0 }
    }

    private static let thirtyApps = "SELECT pg_temp.top_app('a' || n, '{\"en\": \"Anchor\"}') FROM generate_series(1, 30) AS n;"

    @Test("The rows that a publication of ten sections reads and writes grow like the number of storefronts", .timeLimit(.minutes(5)))
    func publication() async throws {
        let feed = Self.feed("today", sections: 10)
        let few = try await Self.publication(of: feed, in: 7, Self.thirtyApps).rows
        let many = try await Self.publication(of: feed, in: 37, Self.thirtyApps).rows
        #expect(few > 0 && many < 6 * few, "\(many) rows in 40 storefronts, \(few) in 10")
        guard let measured = Self.measured else { return }
        let duration = try await Self.publication(of: feed, in: measured - 3, Self.thirtyApps).duration
        #expect(duration <= .seconds(3), "\(duration)")
    }

    @Test(
        "The rows for sections that leave out the items above, of which platforms have too few, grow like the number of storefronts",
        .timeLimit(.minutes(5)))
    func shortSections() async throws {
        // Each section has enough items for each of the eight platforms, but the sections above show them, so that the page decides.
        let items =
            Self.thirtyApps + """
                INSERT INTO item_platforms (item_id, platform)
                SELECT md5('a' || n)::uuid, platform
                FROM generate_series(1, 12) AS n CROSS JOIN unnest('{android,linux,macos,tvos,visionos,watchos}'::text[]) AS platform;
                """
        let feed = Self.feed("today", sections: 10, repeatsItems: false)
        let few = try await Self.publication(of: feed, in: 7, items)
        let many = try await Self.publication(of: feed, in: 37, items)
        #expect(few.rows > 0 && many.rows < 6 * few.rows, "\(many.rows) rows in 40 storefronts, \(few.rows) in 10")
        // Clients on six platforms see the first two sections, and the others see the first three.
        #expect(few.findings == 8 * 10 && many.findings == 8 * 40, "\(few.findings) and \(many.findings) findings")
        guard let measured = Self.measured else { return }
        let duration = try await Self.publication(of: feed, in: measured - 3, items).duration
        #expect(duration <= .seconds(3), "\(duration)")
    }
}
