import Feeds
import Publishing
import TestDatabase
import Testing

@Suite("The stored findings", .databaseForEachTest)
struct FindingStoreTests {
    /// Returns a document with a pin.
    private static func document(_ feed: String) -> String {
        #"""
        {"format": 2, "feed": "\#(feed)", "title": {"en": "F"},
         "sections": [{"key": "hero", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "item": "topapp:a"}], "rule": {"kind": "topApp"}}]}
        """#
    }

    @Test("A finding that spreads has the same time in all storefronts, and a new sequencer counts the same findings")
    func spreading() async throws {
        try await Site.run(
            """
            SELECT pg_temp.top_app('a', '{"en": "Anchor"}'), pg_temp.top_app('b', '{"en": "Basil"}');
            UPDATE items SET is_everywhere = false WHERE slug = 'a';
            INSERT INTO item_availability (item_id, storefront, during)
            SELECT id, key, '{(,)}' FROM items CROSS JOIN storefronts WHERE slug = 'a';
            """
        ) { site in
            try await site.publish(Self.document("today"))
            try await site.publish(Self.document("games"))
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).findingCounts.isEmpty)

            try await site.sql("DELETE FROM item_availability WHERE storefront = 'us'")
            let first = try await sequencer.drain(site.connection, until: .soon)
            #expect(first.startedFindings.map(\.storefronts) == [["us"], ["us"]] && first.findingCounts == [.pinGone: 2])
            let start = try await site.rows("SELECT DISTINCT since::text FROM live_findings")

            try await site.sql("DELETE FROM item_availability WHERE storefront = 'de'")
            let second = try await sequencer.drain(site.connection, until: .soon)
            #expect(second.startedFindings.map(\.storefronts) == [["de"], ["de"]] && second.findingCounts == [.pinGone: 2])
            #expect(try await site.rows("SELECT DISTINCT since::text FROM live_findings") == start)
            var other = try site.sequencer()
            #expect(try await other.drain(site.connection, until: .soon).findingCounts == second.findingCounts)

            // Only the counts of the feed that changes are made again.
            try await site.publish(Self.document("games").replacing("topapp:a", with: "topapp:b"))
            let third = try await other.drain(site.connection, until: .soon)
            #expect(third.endedFindings.map(\.feed) == ["games"] && third.findingCounts == [.pinGone: 1])
            try await site.sql("DELETE FROM item_availability; UPDATE items SET is_everywhere = true WHERE slug = 'a'")
            let last = try await other.drain(site.connection, until: .soon)
            #expect(last.endedFindings.map(\.storefronts) == [["de", "us"]] && last.findingCounts.isEmpty)
        }
    }
}
