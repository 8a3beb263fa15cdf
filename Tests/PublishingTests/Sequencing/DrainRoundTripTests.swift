import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("The round trips of a drain", .databaseForEachTest)
struct DrainRoundTripTests {
    private static let rows = """
        SELECT pg_temp.top_app(name, jsonb_build_object('en', name), rating => 4, ratings => 10) FROM unnest('{a,b,c,d,e}'::text[]) AS name;
        SELECT pg_temp.food_app('ramen', '{"en": "Ramen"}');
        """
    private static let feed = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}]}
        """#

    /// Returns the number of round trips in which a sequencer that knows the published state publishes a change.
    private static func count(_ change: String, _ site: Site) async throws -> Int {
        try await site.publish(feed)
        var sequencer = try site.sequencer()
        while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
        try await site.sql(change)
        let before = site.connection.callCount
        let report = try await sequencer.drain(site.connection, until: .soon)
        #expect(report.versions == 1 && report.isComplete)
        return site.connection.callCount - before
    }

    @Test(
        "An edit takes four round trips if no section needs to be composed",
        arguments: ["UPDATE food_apps SET brand = 'Other'", "UPDATE item_texts SET subtitle = 'Other' WHERE item_id = md5('c')::uuid"])
    func unlisted(edit: String) async throws {
        try await Site.run(Self.rows) { site in
            // It begins, reads the facts of the item, publishes it and commits.
            let count = try await Self.count(edit, site)
            #expect(count == 4)
        }
    }

    @Test("An edit of facts of a shown item takes six round trips, because the rule finds the facts of all shown items")
    func shown() async throws {
        try await Site.run(Self.rows) { site in
            let change = "UPDATE top_apps SET developer = 'Other' FROM items WHERE id = item_id AND slug = 'c'"
            let count = try await Self.count(change, site)
            // It begins, reads the facts of the item, counts listings, finds the shown items in one scan, publishes the item and
            // commits.
            #expect(count == 6)
        }
    }
}
