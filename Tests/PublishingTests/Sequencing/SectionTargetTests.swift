import Catalog
import EventLoop
import Feeds
import Items
import Publishing
import TestDatabase
import Testing
import Values

@Suite("A section with a target", .databaseForEachTest)
struct SectionTargetTests {
    @Test("The section is composed and published only in its target storefronts, and removed from others")
    func storefronts() async throws {
        @Sendable func feed(_ target: String) -> String {
            #"""
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 1\#(target)},
                {"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": "hero"}}}
            ]}
            """#
        }
        let apps = "SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}'), pg_temp.top_app('b', '{\"en\": \"Buoy\"}');"
        try await Site.run(apps) { site in
            var sequencer = try site.sequencer()
            try await site.publish(feed(""))
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 6)
            #expect(try await site.visibleItems("today", in: "de", "de") == ["today/hero": ["b"], "today/rest": ["a"]])
            try await site.publish(feed(#", "target": {"storefronts": ["us"]}"#))
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 4)
            #expect(try await site.visibleItems("today") == ["today/hero": ["b"], "today/rest": ["a"]])
            #expect(try await site.visibleItems("today", in: "de", "de") == ["today/rest": ["b", "a"]])
            try await site.sql("UPDATE items SET rating_average = 5, rating_count = 9 WHERE slug = 'a'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 4)
            #expect(try await site.visibleItems("today") == ["today/hero": ["a"], "today/rest": ["b"]])
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test("A badge appears once on an item, even if several rules add it")
    func badges() async throws {
        let section = #"""
            {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
             "badges": [{"badge": "pick", "on": ["topapp:a"]}, {"badge": "pick", "when": {"kind": "topApp"}}]}
            """#
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(#"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(section)]}"#)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            let snapshot = try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today"))
            #expect(snapshot?.sections.first?.placements.values.map(\.badges) == [["pick"]])
        }
    }
}
