import Catalog
import EventLoop
import Feeds
import Items
import Publishing
import TestDatabase
import Testing
import Values

@Suite("A retained section", .databaseForEachTest)
struct SectionKeepingTests {
    @Test("Composing a retained section again changes nothing, and withdrawn items do not count as a drop")
    func isStable() async throws {
        let apps = """
            SELECT pg_temp.top_app('a' || n, '{"en": "Anchor"}', rating => 5, ratings => n) FROM generate_series(1, 10) AS n;
            """
        let section = #"{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"category": "tools"}, "maxDrop": 2}"#
        try await Site.run(apps) { site in
            try await site.publish(#"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(section)]}"#)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            // Five items are withdrawn, and the rule finds three of the other five.
            try await site.sql(
                """
                UPDATE items SET deleted_at = now() WHERE slug IN ('a1', 'a2', 'a3', 'a4', 'a5');
                UPDATE item_categories SET category = 'games' WHERE item_id IN (SELECT id FROM items WHERE slug IN ('a6', 'a7'));
                """)
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["a10", "a9", "a8"]])
            try await site.sql("UPDATE item_categories SET category = 'games'")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["a10", "a9", "a8"]])
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test("The database lists the sections that keep their items with the time since when, until their rules succeed")
    func list() async throws {
        let apps = """
            SELECT pg_temp.top_app('a' || n, '{"en": "Anchor"}', rating => 5, ratings => n) FROM generate_series(1, 6) AS n;
            """
        let sections = ["few", "drop"].map { key in
            let limit = key == "few" ? #""minItems": 3"# : #""maxDrop": 2"#
            return #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "row", "rule": {"category": "tools"}, \#(limit)}"#
        }
        try await Site.run(CatalogRows.served + apps) { site in
            try await site.publish(
                #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ","))]}"#)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            func retained() async throws -> [String] {
                try await site.rows(
                    "SELECT feed || pointer || ' ' || code FROM live_findings WHERE storefront = 'us' ORDER BY section")
            }
            #expect(try await retained().isEmpty)
            try await site.sql("UPDATE item_categories SET category = 'games' WHERE item_id IN (SELECT id FROM items WHERE slug <> 'a1')")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await retained() == ["today/sections/1/maxDrop SECTION_KEPT", "today/sections/0/minItems SECTION_KEPT"])
            // Another process that becomes the leader finds the same sections, and keeps the times.
            let times = "SELECT string_agg(since::text, ' ' ORDER BY section, storefront) FROM live_findings"
            let before = try await site.rows(times)
            var another = try site.sequencer()
            _ = try await another.drain(site.connection, until: .soon)
            #expect(try await site.rows(times) == before && before.count == 1)
            try await site.sql("UPDATE item_categories SET category = 'tools'")
            _ = try await another.drain(site.connection, until: .soon)
            #expect(try await retained().isEmpty)
        }
    }

    @Test("A rotation shows every item in turn, with pins as well")
    func turns() async throws {
        let apps = """
            SELECT pg_temp.top_app(name, jsonb_build_object('en', name)) FROM unnest('{a,b,c,d,e}'::text[]) AS name;
            """
        let section = #"""
            {"key": "all", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "item": "topapp:a"}], "rule": {"kind": "topApp"}, "size": 3,
             "sort": {"rotate": {"seed": "s", "every": "PT1H"}}}
            """#
        try await Site.run(apps) { site in
            try await site.publish(#"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(section)]}"#)
            var sequencer = try site.sequencer()
            var times: [String: Int] = [:]
            for hour in 0..<4 {
                sequencer.clockAhead = .seconds(hour * 3_600)
                _ = try await sequencer.drain(site.connection, until: .soon)
                for item in try await site.visibleItems("today")["today/all"] ?? [] { times[item, default: 0] += 1 }
            }
            #expect(times == ["a": 4, "b": 2, "c": 2, "d": 2, "e": 2])
        }
    }

    @Test("A pinned item has a heading by its title, whether the rule finds it or not")
    func pinnedHeading() async throws {
        let section = #"""
            {"key": "all", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "item": "topapp:z"}], "rule": {"category": "games"},
             "sort": "title", "group": "initial"}
            """#
        try await Site.run("SELECT pg_temp.top_app('z', '{\"en\": \"Zebra\"}')") { site in
            try await site.publish(#"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(section)]}"#)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            let snapshot = try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today"))
            #expect(snapshot?.sections.first?.placements.values.map { $0.initials[.english] } == ["Z"])
        }
    }
}
