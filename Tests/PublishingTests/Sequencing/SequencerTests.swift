import EventLoop
import Feeds
import JSON
import Postgres
import Publishing
import Resolve
import TestDatabase
import TestSupport
import Testing

@Suite("The published content", .databaseForEachTest)
struct SequencerTests {
    private static let catalog = """
        SELECT pg_temp.top_app('a', '{"en": "Anchor", "de": "Zange"}', rating => 4.9, ratings => 100),
            pg_temp.top_app('b', '{"en": "Buoy", "de": "Yacht"}', rating => 4.5, ratings => 100),
            pg_temp.top_app('c', '{"en": "Crane", "de": "Wal"}', '{games}', rating => 4.0, ratings => 100),
            pg_temp.food_app('d', '{"en": "Dumplings"}', rating => 5, ratings => 9),
            pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us');
        """

    private static func feed(_ sections: String) -> String {
        #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections)]}"#
    }

    private static let apps = #"""
        {"key": "hero", "layout": {"preset": "zoom-carousel"}, "cell": "heroCard", "pins": [{"slot": 0, "item": "topapp:c"}], "size": 2,
         "rule": {"kind": "topApp"}}
        """#
    private static let all = #"{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": "hero"}}}"#

    @Test("The sequencer publishes the results of rules and pins in each storefront")
    func first() async throws {
        try await Site.run(CatalogRows.served + Self.catalog) { site in
            try await site.publish(Self.feed("\(Self.apps), \(Self.all)"))
            var sequencer = try site.sequencer()
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.notices.isEmpty && report.startedFindings.isEmpty)
            #expect(try await site.visibleItems("today") == ["today/hero": ["c", "a"], "today/all": ["d", "b", "e"]])
            #expect(try await site.visibleItems("today", in: "de", "de") == ["today/hero": ["c", "a"], "today/all": ["d", "b"]])
            let versions = try await site.published().values.sorted()
            #expect(versions == Array(1...report.head))
            #expect(try await site.rows("SELECT 1::text FROM vitrine.sync_outbox").isEmpty)
        }
    }

    @Test("A section without the items of another one repeats those that only the list of the other one has")
    func listOfAnother() async throws {
        try await Site.run(Self.catalog) { site in
            let hero = Self.apps.replacing("\"size\": 2", with: "\"size\": 1, \"continues\": true")
            try await site.publish(Self.feed("\(hero), \(Self.all)"))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            let expected = ["today/hero": ["c"], "today/all": ["d", "a", "b", "e"]]
            #expect(try await site.visibleItems("today") == expected)
            #expect(try await site.listedItems("today") == ["today/hero": ["c", "a", "b"]])
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
            try await site.sql("UPDATE vitrine.items SET rating_average = 1 WHERE slug = 'a'")
            _ = try await another.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today")["today/all"] == ["d", "b", "a", "e"])
        }
    }

    @Test("A drain without changes publishes nothing, and neither does a new sequencer")
    func idle() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed("\(Self.apps), \(Self.all)"))
            var sequencer = try site.sequencer()
            let first = try await sequencer.drain(site.connection, until: .soon)
            let before = try await site.published()
            #expect(try await sequencer.drain(site.connection, until: .soon).versions == 0)
            var another = try site.sequencer()
            let again = try await another.drain(site.connection, until: .soon)
            #expect(again.versions == 0 && again.head == first.head && again.composedSections == 6)
            #expect(try await site.published() == before)
            // The first sequencer notices the other one, and continues.
            try await site.sql("UPDATE vitrine.items SET rating_average = 1 WHERE slug = 'a'")
            #expect(try await another.drain(site.connection, until: .soon).versions > 0)
            #expect(try await sequencer.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test("A new item appears in the section of a developer whose name only the database can fold")
    func foldedDeveloper() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed(#"{"key": "south", "layout": {"list": {}}, "cell": "row", "rule": {"developer": "Südwind"}}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == [:])
            try await site.sql(#"BEGIN; SELECT pg_temp.top_app('s', '{"en": "Sail"}', developer => 'SÜDWIND'); COMMIT"#)
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/south": ["s"]])
        }
    }

    @Test("A platform has its items in the next drain after it is served")
    func servedPlatform() async throws {
        let platforms = """
            UPDATE platforms SET is_served = key = 'ios';
            UPDATE item_platforms SET platform = 'tvos' WHERE item_id = md5('c')::uuid;
            """
        try await Site.run(Self.catalog + platforms) { site in
            try await site.publish(
                Self.feed(#"{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 1}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            var television = ClientFacts.nothingSaid
            television.platform = .said("tvos")
            #expect(try await site.visibleItems("today") == ["today/all": ["a"]])
            #expect(try await site.visibleItems("today", to: television) == [:])
            try await site.sql("UPDATE platforms SET is_served = true WHERE key = 'tvos'")
            #expect(try await sequencer.drain(site.connection, until: .soon).versions > 0)
            #expect(try await site.visibleItems("today") == ["today/all": ["a"]])
            #expect(try await site.visibleItems("today", to: television) == ["today/all": ["c"]])
        }
    }

    @Test("A move of one item changes one placement, and an equal rewrite of an item changes none")
    func move() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed(#"{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            let before = try await site.published()
            try await site.sql("UPDATE vitrine.items SET version = version + 1, rating_count = rating_count WHERE slug = 'a'")
            #expect(try await sequencer.drain(site.connection, until: .soon).versions == 0)
            try await site.sql("UPDATE vitrine.items SET rating_average = 1 WHERE slug = 'a'")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["b", "c", "a"]])
            let after = try await site.published()
            let changed = after.filter { before[$0.key] != $0.value }.keys.sorted()
            #expect(changed.count == 4, "\(changed)")
            #expect(report.versions == 4 && report.composedSections == 3)
            #expect(Set(after.keys) == Set(before.keys))
        }
    }

    @Test("An edit of the texts of a shown item publishes the item, and composes only sections that depend on titles")
    func texts() async throws {
        try await Site.run(Self.catalog) { site in
            let section = #"{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}"#
            let sorted = #"{"key": "sorted", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": "title"}"#
            let edit = { (title: String) in
                "UPDATE vitrine.item_texts SET title = '\(title)' WHERE item_id = md5('a')::uuid AND locale = 'en'"
            }
            try await site.publish(Self.feed(section))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(edit("Yawl"))
            let edited = try await sequencer.drain(site.connection, until: .soon)
            #expect(edited.versions > 0 && edited.composedSections == 0)
            try await site.publish(Self.feed("\(section), \(sorted)"))
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["a", "b", "c"], "today/sorted": ["b", "c", "a"]])
            try await site.sql(edit("Ark"))
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/all": ["a", "b", "c"], "today/sorted": ["a", "b", "c"]])
            // Another sequencer does not know from which facts the items were composed.
            var another = try site.sequencer()
            _ = try await another.drain(site.connection, until: .soon)
            try await site.sql(edit("Zebec"))
            #expect(try await another.drain(site.connection, until: .soon).composedSections == 3)
            try await site.sql("UPDATE vitrine.top_apps SET developer = 'Another' WHERE item_id = md5('a')::uuid")
            #expect(try await another.drain(site.connection, until: .soon).composedSections == 6)
        }
    }

    @Test("An edit of a pinned item composes its section only if the pin can change")
    func pins() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed(Self.apps))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/hero": ["c", "a"]])
            try await site.sql("UPDATE vitrine.item_texts SET title = 'Cable' WHERE item_id = md5('c')::uuid")
            let edited = try await sequencer.drain(site.connection, until: .soon)
            #expect(edited.versions > 0 && edited.composedSections == 0)
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'c'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/hero": ["a", "b"]])
            // It is not shown, and can be available again.
            try await site.sql("UPDATE vitrine.items SET deleted_at = NULL WHERE slug = 'c'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/hero": ["c", "a"]])
        }
    }

    @Test("Withdrawals, new items and charts compose only the sections that they can affect")
    func touched() async throws {
        let chart = #"{"key": "top", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": {"chart": "top-free"}}"#
        let food = #"{"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}}"#
        try await Site.run(
            Self.catalog
                + """
                INSERT INTO charts (storefront, name) VALUES ('us', 'top-free');
                INSERT INTO chart_entries SELECT 'us', 'top-free', ascii(slug) - 96, id FROM items WHERE kind = 'topApp';
                """
        ) { site in
            try await site.publish(Self.feed("\(chart), \(food)"))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/top": ["a", "b", "c"], "today/food": ["d", "e"]])
            // Without the chart, the section does not exist.
            #expect(try await site.visibleItems("today", in: "de") == ["today/food": ["d"]])
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'd'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/top": ["a", "b", "c"], "today/food": ["e"]])
            #expect(try await site.visibleItems("today", in: "de") == [:])
            try await site.sql(
                "UPDATE vitrine.chart_entries SET rank = 9 WHERE rank = 1; SELECT pg_temp.food_app('f', '{\"en\": \"Figs\"}', storefront => 'us')"
            )
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 2)
            #expect(try await site.visibleItems("today") == ["today/top": ["b", "c", "a"], "today/food": ["f", "e"]])
        }
    }

    @Test("A section with a developer whose name is not ASCII is composed only if a changed item is by the developer")
    func foldedNames() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.sql("UPDATE vitrine.top_apps SET developer = 'SÜDWIND' WHERE item_id = md5('a')::uuid")
            let section = { (key: String, developer: String) in
                #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "row", "rule": {"developer": "\#(developer)"}}"#
            }
            try await site.publish(Self.feed(section("south", "Südwind")))
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/south": ["a"]])
            try await site.sql("UPDATE vitrine.items SET rating_average = 1 WHERE slug = 'b'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 0)
            try await site.sql("UPDATE vitrine.top_apps SET developer = 'Südwind' WHERE item_id = md5('b')::uuid")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today")["today/south"]?.sorted() == ["a", "b"])
            try await site.sql("UPDATE vitrine.top_apps SET developer = 'Sudwest' WHERE item_id = md5('a')::uuid")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/south": ["b"]])
            // Another document names another developer.
            try await site.publish(Self.feed(section("west", "Südwest")))
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/west": ["a"]])
            try await site.sql("UPDATE vitrine.items SET rating_average = 2 WHERE slug = 'b'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 0)
        }
    }

    @Test("Measures of an item that cannot be read are an error, not an item without measures")
    func unreadableMeasures() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed(Self.apps))
            var sequencer = try site.sequencer()
            try await site.sql("UPDATE vitrine.listings SET measures = '{\"os:ios\": 16}'")
            let error = await #expect(throws: PostgresError.self) { try await sequencer.drain(site.connection, until: .soon) }
            #expect(error?.code == .undecodable, "\(String(describing: error))")
        }
    }

    @Test("A takeover is live while it lasts, then the base is, and nothing of an archived feed")
    func takeover() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed(Self.all.replacing(#"{"not": {"inSection": "hero"}}"#, with: #"{"kind": "foodApp"}"#)))
            let takeover = Self.feed(Self.apps)
            try await site.sql(
                "SELECT save_revision('today', 'xmas', '\(String(decoding: try FeedDocument(parsing: Array(takeover.utf8)).canonical(), as: UTF8.self))')"
            )
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today", in: "de").keys.sorted() == ["today/all"])
            try await site.sql("SELECT publish('today', 'takeover', 2, NULL, instant_text(now() + interval '1 hour'))")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.nextTime != nil)
            #expect(try await site.visibleItems("today", in: "de").keys.sorted() == ["today/hero"])
            #expect(try await site.reader.snapshot(of: StorefrontFeed(storefront: "de", feed: "today"))?.validUntil == report.nextTime)
            try await site.sql("SELECT cancel_publication(2)")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today", in: "de").keys.sorted() == ["today/all"])
            try await site.sql("UPDATE feeds SET archived_at = now()")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today", in: "de") == [:])
            let left = try await site.published().keys.filter { !$0.contains(" item ") && !$0.contains(" layout ") && !$0.contains(" */") }
            #expect(left.isEmpty)
        }
    }

    @Test("A section whose rule finds too few items is retained, without withdrawn items")
    func kept() async throws {
        let section = #"{"key": "top", "layout": {"list": {}}, "cell": "row", "rule": {"category": "tools"}, "minItems": 2}"#
        try await Site.run(CatalogRows.served + Self.catalog) { site in
            try await site.publish(Self.feed(section))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/top": ["a", "b"]])
            try await site.sql(
                "INSERT INTO item_categories SELECT id, 'games', 2 FROM items WHERE slug = 'a'; DELETE FROM item_categories WHERE category = 'tools' AND item_id = md5('a')::uuid"
            )
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/top": ["a", "b"]])
            #expect(report.startedFindings.map(\.code) == ["SECTION_KEPT"])
            #expect(report.startedFindings.first?.section == "top" && report.startedFindings.first?.storefronts.contains("us") == true)
            // A new sequencer reads the retained items from the published documents.
            var another = try site.sequencer()
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            let later = try await another.drain(site.connection, until: .soon)
            // Clients do not show a section with fewer items than its minimum.
            #expect(later.endedFindings.map(\.code) == ["SECTION_KEPT"])
            #expect(Set(later.startedFindings.map(\.code)) == ["SECTION_MISSING", "FEED_EMPTY"])
            #expect(try await site.visibleItems("today") == [:])
            #expect(try await site.published().keys.filter { $0.hasPrefix("us placement ") }.count == 1)
        }
    }

    @Test("A section is sorted and grouped for each locale of a storefront")
    func titles() async throws {
        let section =
            #"{"key": "a-to-z", "layout": {"preset": "alphabetical-sections"}, "cell": "row", "group": "initial", "rule": {"kind": "topApp"}, "sort": "title"}"#
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feed(section))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today", in: "de", "de") == ["today/a-to-z": ["c", "b", "a"]])
            #expect(try await site.visibleItems("today", in: "de", "en") == ["today/a-to-z": ["a", "b", "c"]])
            let documents = try await site.rows(
                "SELECT document FROM published WHERE kind = 'placement' AND storefront = 'de' AND item_id = md5('a')::uuid")
            #expect(documents.first?.contains(#""initial":"Z""#) == true)
        }
    }
}
