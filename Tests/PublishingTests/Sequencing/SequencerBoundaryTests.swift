import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("The sequencer at the time of a change", .databaseForEachTest)
struct SequencerBoundaryTests {
    private static let feed = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}}]}
        """#
    /// One dish becomes available at the hour at which the other becomes unavailable.
    private static let catalog = """
        SELECT pg_temp.food_app('comes', '{"en": "Dish"}', storefront => 'us', during => tstzmultirange(tstzrange(hour, NULL))),
            pg_temp.food_app('goes', '{"en": "Dish"}', storefront => 'us', during => tstzmultirange(tstzrange(NULL, hour)))
        FROM (SELECT date_trunc('hour', now()) + interval '2 hours' AS hour) AS hours;
        """

    /// Returns a session in the transaction that the caller has opened.
    private static func session(_ site: Site) -> PostgresSession {
        PostgresSession(inTransactionOf: site.connection, within: .seconds(60))
    }

    private static func now(_ site: Site) async throws -> Timestamp? {
        try await site.connection.rows(of: PostgresQuery("now", "SELECT now()"), as: Timestamp.self, until: .soon).first
    }

    private static let members = """
        SELECT slug FROM items JOIN published ON published.id = '*/' || items.id AND published.kind = 'membership' AND document IS NOT NULL
        ORDER BY slug
        """

    @Test("An availability change is published at its time and not before, and only future times are waited for", arguments: [-1, 0])
    func availabilityChange(microseconds: Int) async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed)
            var sequencer = try site.sequencer()
            let hour = try #require(try await sequencer.drain(site.connection, until: .soon).nextTime)
            #expect(try await site.rows(Self.members) == ["goes"])
            // Within a transaction the time of the database does not advance.
            try await site.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let time = try #require(try await Self.now(site))
            sequencer.clockAhead = time.duration(to: hour) + .microseconds(microseconds)
            let report = try await sequencer.drain(Self.session(site))
            let printed = microseconds < 0 ? "goes" : "comes"
            #expect(try await site.rows(Self.members) == [printed])
            #expect(try await site.visibleItems("today") == ["today/food": [printed]])
            #expect(report.nextTime == (microseconds < 0 ? hour : nil))
            #expect(try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today"))?.validUntil == report.nextTime)
            // A second drain finds nothing left.
            #expect(try await sequencer.drain(Self.session(site)).versions == 0)
            try await site.sql("ROLLBACK")
        }
    }

    @Test("A rotation moves on when its step ends, and the sequencer waits for the next step")
    func turn() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(
                Self.feed.replacing(
                    #""rule": {"kind": "foodApp"}"#,
                    with: #""rule": {"kind": "topApp"}, "sort": {"rotate": {"seed": "s", "every": "PT1H"}}"#))
            var sequencer = try site.sequencer()
            let turn = try #require(try await sequencer.drain(site.connection, until: .soon).nextTime)
            try await site.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let time = try #require(try await Self.now(site))
            sequencer.clockAhead = time.duration(to: turn)
            #expect(try await sequencer.drain(Self.session(site)).nextTime == turn.advanced(by: .seconds(3_600)))
            try await site.sql("ROLLBACK")
        }
    }

    @Test("A drain and a consistency check each run in one snapshot")
    func isolation() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed)
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).versions > 0)
            // From here on, only a transaction with a single snapshot finds the published rows.
            try await site.sql(
                """
                ALTER TABLE vitrine.published RENAME TO shown;
                CREATE VIEW vitrine.published AS SELECT * FROM vitrine.shown
                WHERE current_setting('transaction_isolation') = 'repeatable read'
                """)
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
            let audit = try #require(try await sequencer.audit("us", PostgresSession(site.connection, within: .seconds(60))))
            #expect(audit.compared > 0 && audit.differences.isEmpty)
            let blind = try await site.connection.transaction(until: .soon) { [sequencer] connection in
                try await sequencer.audit("us", PostgresSession(inTransactionOf: connection, within: .seconds(60)))
            }
            #expect(blind?.differences.isEmpty == false)
        }
    }
}
