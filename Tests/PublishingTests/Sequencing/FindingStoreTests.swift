import Feeds
import Layout
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
            CatalogRows.served + """
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
            #expect(first.startedFindings.map(\.storefronts) == [["us"], ["us"]] && first.findingCounts == [LiveFinding.Kind(.pinGone): 2])
            let start = try await site.rows("SELECT DISTINCT since::text FROM live_findings")

            try await site.sql("DELETE FROM item_availability WHERE storefront = 'de'")
            let second = try await sequencer.drain(site.connection, until: .soon)
            #expect(second.startedFindings.map(\.storefronts) == [["de"], ["de"]] && second.findingCounts == first.findingCounts)
            #expect(try await site.rows("SELECT DISTINCT since::text FROM live_findings") == start)
            var other = try site.sequencer()
            #expect(try await other.drain(site.connection, until: .soon).findingCounts == second.findingCounts)

            // Only the counts of the feed that changes are made again.
            try await site.publish(Self.document("games").replacing("topapp:a", with: "topapp:b"))
            let third = try await other.drain(site.connection, until: .soon)
            #expect(third.endedFindings.map(\.feed) == ["games"] && third.findingCounts == [LiveFinding.Kind(.pinGone): 1])
            try await site.sql("DELETE FROM item_availability; UPDATE items SET is_everywhere = true WHERE slug = 'a'")
            let last = try await other.drain(site.connection, until: .soon)
            #expect(last.endedFindings.map(\.storefronts) == [["de", "us"]] && last.findingCounts.isEmpty)
        }
    }

    @Test("A finding that spreads to another platform is reported again with its time, and one that leaves a platform is not")
    func platforms() async throws {
        let document = #"""
            {"format": 2, "feed": "today", "title": {"en": "F"},
             "sections": [{"key": "apps", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "minItems": 2}]}
            """#
        try await Site.run(
            """
            SELECT pg_temp.top_app('a', '{"en": "Anchor"}'), pg_temp.top_app('b', '{"en": "Basil"}');
            INSERT INTO item_platforms (item_id, platform) SELECT id, platform FROM items CROSS JOIN unnest('{android,tvos}'::text[]) AS platform;
            UPDATE platforms SET is_served = key IN ('android', 'ios', 'tvos');
            """
        ) { site in
            try await site.publish(document)
            var sequencer = try site.sequencer()
            // Returns the platforms of each finding that started, and after `-` of each that ended.
            func drain() async throws -> [String] {
                let report = try await sequencer.drain(site.connection, until: .soon)
                let (started, ended) = (report.startedFindings, report.endedFindings)
                #expect((started + ended).allSatisfy { $0.kind == LiveFinding.Kind(.sectionMissing, .warning) })
                return started.map { $0.platforms.joined(separator: " ") } + ended.map { "-" + $0.platforms.joined(separator: " ") }
            }
            func remove(_ platform: String) async throws {
                try await site.sql("DELETE FROM item_platforms WHERE platform = '\(platform)' AND item_id = md5('b')::uuid")
            }
            func add(_ platform: String) async throws {
                try await site.sql("INSERT INTO item_platforms (item_id, platform) VALUES (md5('b')::uuid, '\(platform)')")
            }
            let times = "SELECT DISTINCT since::text FROM live_findings"
            #expect(try await drain() == [])
            try await remove("tvos")
            #expect(try await drain() == ["tvos"])
            let start = try await site.rows(times)
            try await remove("android")
            #expect(try await drain() == ["android tvos"])
            #expect(try await site.rows(times) == start && start.count == 1)
            // Another process that becomes the leader finds the same.
            sequencer = try site.sequencer()
            #expect(try await drain() == [])
            try await add("tvos")
            #expect(try await drain() == [])
            #expect(try await site.rows("SELECT DISTINCT platforms::text FROM live_findings") == ["{android}"])
            #expect(try await site.rows(times) == start)
            // It ends without a publication, and without a change of an item.
            try await site.sql("UPDATE platforms SET is_served = false WHERE key = 'android'")
            #expect(try await drain() == ["-android"])
        }
    }
}
