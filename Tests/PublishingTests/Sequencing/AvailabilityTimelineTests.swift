import EventLoop
import Feeds
import Host
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("Availability changes over time", .databaseForEachTest)
struct AvailabilityTimelineTests {
    private static func feed(_ key: String, _ sections: String...) -> String {
        let all = sections.enumerated().map { #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", \#($1)}"# }
        return #"{"format": 2, "feed": "\#(key)", "title": {"en": "Feed"}, "sections": [\#(all.joined(separator: ", "))]}"#
    }

    /// The last full hour. It stays the same if the next one starts during a test.
    private static let hour = Timestamp(clamping: SystemInfo.wallClock / 3_600_000_000 * 3_600_000_000)

    /// Returns a catalog with one app that is always available, and dishes that become available the given numbers of hours after the last
    /// full hour.
    private static func catalog(_ dishes: [(String, Int)]) -> String {
        "SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}');"
            + dishes.map { slug, hours in
                """
                SELECT pg_temp.food_app('\(slug)', '{"en": "Dish"}', storefront => 'us',
                    during => tstzmultirange(tstzrange('\(hour.advanced(by: .seconds(hours * 3_600)))', NULL)));
                """
            }.joined()
    }

    private static func end(_ feed: String, _ site: Site) async throws -> Timestamp? {
        try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: feed))?.validUntil
    }

    @Test("An availability change ends the validity of affected feeds only, and the sequencer wakes at each change")
    func relevance() async throws {
        try await Site.run(Self.catalog([("d", 2), ("e", 4)])) { site in
            try await site.publish(Self.feed("apps", #""rule": {"kind": "topApp"}"#))
            try await site.publish(Self.feed("food", #""rule": {"kind": "foodApp"}"#))
            try await site.publish(
                Self.feed("named", #""rule": {"kind": "topApp"}, "pins": [{"slot": 0, "item": "foodapp:e"}]"#))
            let german = #""rule": {"kind": "foodApp"}, "target": {"storefronts": ["de"]}"#
            try await site.publish(Self.feed("german", #""rule": {"kind": "topApp"}"#, german))
            var sequencer = try site.sequencer()
            let time = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            let (second, fourth) = (Self.hour.advanced(by: .seconds(7_200)), Self.hour.advanced(by: .seconds(14_400)))
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == second)
            #expect(try await Self.end("apps", site) == nil)
            #expect(try await Self.end("german", site) == nil)
            #expect(try await Self.end("food", site) == second)
            #expect(try await Self.end("named", site) == fourth)
            // An availability change takes effect on its own, and a changed document is published.
            sequencer.clockAhead = time.duration(to: second) + .seconds(60)
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == fourth)
            #expect(try await Self.end("apps", site) == nil)
            #expect(try await Self.end("food", site) == fourth)
            #expect(try await site.visibleItems("food") == ["food/s0": ["d"]])
            try await site.sql("UPDATE item_availability SET during = '{(,)}' WHERE item_id = (SELECT id FROM items WHERE slug = 'e')")
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == nil)
            #expect(try await Self.end("food", site) == nil)
            #expect(try await Self.end("named", site) == nil)
            try await site.sql(
                """
                UPDATE item_availability SET during = tstzmultirange(tstzrange(NULL, '\(fourth)'))
                WHERE item_id = (SELECT id FROM items WHERE slug = 'd')
                """)
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await Self.end("food", site) == fourth)
            #expect(try await Self.end("named", site) == nil)
            // Another rule with the same items.
            try await site.publish(Self.feed("apps", #""rule": {"not": {"category": "games"}}"#))
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await Self.end("apps", site) == fourth)
        }
    }

    @Test("With too many availability changes to trace, each one ends the validity of all feeds")
    func many() async throws {
        try await Site.run(Self.catalog((1...101).map { ("d\($0)", $0) })) { site in
            try await site.publish(Self.feed("apps", #""rule": {"kind": "topApp"}"#))
            var sequencer = try site.sequencer()
            let time = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            _ = try await sequencer.drain(site.connection, until: .soon)
            let end = try #require(try await Self.end("apps", site))
            #expect(time.duration(to: end) > .seconds(98 * 3_600) && time.duration(to: end) <= .seconds(100 * 3_600))
        }
    }
}
