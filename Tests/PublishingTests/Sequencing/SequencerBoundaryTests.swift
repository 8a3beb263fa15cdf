import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("The sequencer at the moment itself", .databaseForEachTest)
struct SequencerBoundaryTests {
    private static let feed = #"""
        {"feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}}]}
        """#
    /// One dish is there from the hour on, the other until then.
    private static let catalog = """
        SELECT pg_temp.food_app('comes', '{"en": "Dish"}', storefront => 'us', during => tstzmultirange(tstzrange(hour, NULL))),
            pg_temp.food_app('goes', '{"en": "Dish"}', storefront => 'us', during => tstzmultirange(tstzrange(NULL, hour)))
        FROM (SELECT date_trunc('hour', now()) + interval '2 hours' AS hour) AS hours;
        """

    /// In a transaction that the caller has opened.
    private static func session(_ shop: Shop) -> PostgresSession {
        PostgresSession(inTransactionOf: shop.connection, within: .seconds(60))
    }

    private static func now(_ shop: Shop) async throws -> Timestamp? {
        try await shop.connection.rows(of: PostgresQuery("now", "SELECT now()"), as: Timestamp.self, until: .soon).first
    }

    private static let members = """
        SELECT slug FROM items JOIN published ON published.id = '*/' || items.id AND published.kind = 'membership' AND document IS NOT NULL
        ORDER BY slug
        """

    @Test("Publishes what comes and goes then, not before, and waits for nothing that has passed", arguments: [-1, 0])
    func passage(microseconds: Int) async throws {
        try await Shop.run(Self.catalog) { shop in
            try await shop.publish(Self.feed)
            var sequencer = try shop.sequencer()
            let hour = try #require(try await sequencer.drain(shop.connection, until: .soon).nextMoment)
            #expect(try await shop.rows(Self.members) == ["goes"])
            // Within a transaction the time of the database stands still.
            try await shop.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let moment = try #require(try await Self.now(shop))
            sequencer.clockAhead = moment.duration(to: hour) + .microseconds(microseconds)
            let report = try await sequencer.drain(Self.session(shop))
            let shown = microseconds < 0 ? "goes" : "comes"
            #expect(try await shop.rows(Self.members) == [shown])
            #expect(try await shop.shown("today") == ["today/food": [shown]])
            #expect(report.nextMoment == (microseconds < 0 ? hour : nil))
            #expect(try await shop.reader.edition(of: StorefrontFeed(storefront: "us", feed: "today"))?.validUntil == report.nextMoment)
            // A second drain finds nothing left.
            #expect(try await sequencer.drain(Self.session(shop)).versions == 0)
            try await shop.sql("ROLLBACK")
        }
    }

    @Test("Turns a section when its time is over, and waits for the next turn")
    func turn() async throws {
        try await Shop.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { shop in
            try await shop.publish(
                Self.feed.replacing(
                    #""rule": {"kind": "foodApp"}"#,
                    with: #""rule": {"kind": "topApp"}, "sort": {"rotate": {"seed": "s", "every": "PT1H"}}"#))
            var sequencer = try shop.sequencer()
            let turn = try #require(try await sequencer.drain(shop.connection, until: .soon).nextMoment)
            try await shop.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let moment = try #require(try await Self.now(shop))
            sequencer.clockAhead = moment.duration(to: turn)
            #expect(try await sequencer.drain(Self.session(shop)).nextMoment == turn.advanced(by: .seconds(3_600)))
            try await shop.sql("ROLLBACK")
        }
    }

    @Test("Reads and publishes in one snapshot")
    func isolation() async throws {
        try await Shop.run(Self.catalog) { shop in
            try await shop.publish(Self.feed)
            var sequencer = try shop.sequencer()
            #expect(try await sequencer.drain(shop.connection, until: .soon).versions > 0)
            // From here on, only a transaction that sees one moment finds what is published.
            try await shop.sql(
                """
                ALTER TABLE vitrine.published RENAME TO shown;
                CREATE VIEW vitrine.published AS SELECT * FROM vitrine.shown
                WHERE current_setting('transaction_isolation') = 'repeatable read'
                """)
            var another = try shop.sequencer()
            #expect(try await another.drain(shop.connection, until: .soon).versions == 0)
            let audit = try #require(try await sequencer.audit("us", PostgresSession(shop.connection, within: .seconds(60))))
            #expect(audit.compared > 0 && audit.differences.isEmpty)
            let blind = try await shop.connection.transaction(until: .soon) { [sequencer] connection in
                try await sequencer.audit("us", PostgresSession(inTransactionOf: connection, within: .seconds(60)))
            }
            #expect(blind?.differences.isEmpty == false)
        }
    }
}
