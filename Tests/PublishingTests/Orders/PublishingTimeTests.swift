import EventLoop
import Host
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("The duration of publications in 200 storefronts", .databaseForEachTest, .serialized)
struct PublishingTimeTests {
    /// The number of ended spans on an idle machine, which has the limits of the product. Otherwise the limits are multiplied by how
    /// busy the machine is.
    private static let measured = TestVariable.number("ENDED_SPANS")
    /// A statement that takes a tenth of a second on an idle machine, and about as long as one publication at any load.
    private static let reference = "SELECT count(*) FROM generate_series(1, 300000) AS n WHERE md5(n::text) < '8'"
    private static let feeds = 50
    private static let storefronts = 200

    /// A base in each feed and storefront, after as many ended ones as are needed.
    private static let script = """
        ALTER TABLE storefronts DROP CONSTRAINT storefronts_default_locale_fkey;
        INSERT INTO storefronts (key, currency, time_zone, default_locale)
        SELECT chr(97 + n / 26) || chr(97 + n % 26), 'USD', name, 'en'
        FROM (
            SELECT name, row_number() OVER (ORDER BY name)::integer AS n FROM pg_timezone_names WHERE name ~ '^(America|Europe|Asia)/[A-Z]'
        ) AS zones
        WHERE n <= \(storefronts);
        INSERT INTO feeds (key) SELECT 'f' || n FROM generate_series(1, \(feeds)) AS n;
        INSERT INTO revisions (feed, number, line, document) SELECT key, n, 'main', format('{"feed": "%s"}', key) FROM feeds, generate_series(1, 2) AS n;
        INSERT INTO publications (feed, layer, revision, from_text, ordered_at)
        SELECT key, 'base', 1, to_char(start, 'YYYY-MM-DD"T"HH24:MI"Z"'), start
        FROM feeds CROSS JOIN generate_series(0, \((measured ?? 0) / UInt64(feeds * storefronts))) AS period
        CROSS JOIN LATERAL (SELECT timestamptz '2020-01-01Z' + period * interval '1 day') AS starts (start);
        ALTER TABLE publication_spans DISABLE TRIGGER keep_history, DISABLE TRIGGER tell_inserted, DROP CONSTRAINT publication_spans_during_excl;
        INSERT INTO publication_spans (publication, feed, layer, storefront, during)
        SELECT id, feed, layer, key, tstzrange(start, lead(start) OVER (PARTITION BY feed, key ORDER BY start))
        FROM (SELECT id, feed, layer, from_text::timestamptz AS start FROM publications) AS ordered CROSS JOIN storefronts;
        ALTER TABLE publication_spans
            ADD CONSTRAINT publication_spans_during_excl
                EXCLUDE USING gist (feed WITH =, layer WITH =, storefront WITH =, during WITH &&) DEFERRABLE INITIALLY IMMEDIATE,
            ENABLE ALWAYS TRIGGER keep_history, ENABLE ALWAYS TRIGGER tell_inserted;
        ANALYZE;
        """

    /// Returns the first Sunday from a day of the year after the next one.
    private static func sunday(onOrAfter day: String) throws -> CalendarDay {
        let year = try #require(Int(CalendarDay(Timestamp(clamping: SystemInfo.wallClock)).description.prefix(4)))
        let first = try #require(CalendarDay("\(year + 2)-\(day)")).daysSince1970
        // The first day of 1970 was a Thursday.
        return try #require(CalendarDay(daysSince1970: first + (10 - first % 7) % 7))
    }

    @Test("Publications, a new storefront and the live revisions keep their limits", .timeLimit(.minutes(10)))
    func limits() async throws {
        try await withConnection { connection in
            try await connection.runScript("search path", "SET search_path = vitrine, public; SET statement_timeout = 0", until: .soon)
            try await connection.runScript("spans", Self.script, until: .after(.seconds(600)))
            func duration(of statement: String) async throws -> Duration {
                let start = ContinuousClock.now
                try await connection.runScript("measured", statement, until: .after(.seconds(60)))
                return start.duration(to: .now)
            }
            func expect(_ limit: Duration, _ statements: [String], _ name: Comment) async throws {
                var (fastest, reference) = (Duration.seconds(600), Duration.seconds(600))
                for statement in statements {
                    reference = min(reference, try await duration(of: Self.reference))
                    fastest = min(fastest, try await duration(of: statement))
                }
                let margin = Self.measured == nil ? max(2, reference / .milliseconds(50)) : 1
                #expect(fastest / limit <= margin, name)
            }
            // The clocks of America skip the start, and those of Europe the end.
            let (start, end) = (try Self.sunday(onOrAfter: "03-08"), try Self.sunday(onOrAfter: "03-25"))
            try await expect(
                .milliseconds(500), (1...3).map { "SELECT publish('f\($0)', 'takeover', 2, '\(start)T02:30', '\(end)T02:30')" },
                "takeovers by wall clock")
            try await expect(.milliseconds(500), (1...3).map { "SELECT publish('f\($0)', 'base', 2)" }, "bases from now on")
            try await expect(.milliseconds(500), (1...3).map { "SELECT roll_back('f\($0)')" }, "rollbacks")
            try await expect(
                .seconds(1),
                ["zx", "zy", "zz"].map {
                    "INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('\($0)', 'USD', 'America/New_York', 'en')"
                }, "new storefronts")
            try await expect(
                .milliseconds(30), Array(repeating: "SELECT count(*) FROM live_revisions(clock_timestamp())", count: 5), "live revisions")
            let live = try await connection.rows(
                of: PostgresQuery("live", "SELECT count(publication)::text || ' ' || count(until_moment) FROM live_revisions(now())"),
                as: String.self, until: .soon)
            #expect(live == ["\((Self.storefronts + 3) * Self.feeds) \((Self.storefronts + 3) * 3)"])
        }
    }
}
