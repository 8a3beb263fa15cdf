import EventLoop
import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("The sections that a catalog change affects", .databaseForEachTest)
struct SequencerTraceTests {
    private static let apps = """
        SELECT pg_temp.top_app(name, jsonb_build_object('en', name), rating => 4, ratings => 10) FROM unnest('{a,b,c,d,e}'::text[]) AS name;
        """

    private static func feed(_ section: String) -> String {
        #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [{"key": "all", "layout": {"list": {}}, "cell": "row", \#(section)}]}"#
    }

    /// Checks that a new sequencer publishes nothing.
    private static func expectNothingLeft(_ site: Site) async throws {
        var another = try site.sequencer()
        #expect(try await another.drain(site.connection, until: .soon).versions == 0)
    }

    @Test("A withdrawal affects a rotation even if the item is not in the current step")
    func rotation() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(
                Self.feed(#""rule": {"kind": "topApp"}, "size": 2, "sort": {"rotate": {"seed": "s", "every": "P1D"}}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            while let printed = try await site.visibleItems("today")["today/all"], printed.count == 2 {
                try await site.sql(
                    "UPDATE items SET deleted_at = now() WHERE slug = (SELECT min(slug) FROM items WHERE deleted_at IS NULL AND slug NOT IN ('\(printed[0])', '\(printed[1])'))"
                )
                _ = try await sequencer.drain(site.connection, until: .soon)
                try await Self.expectNothingLeft(site)
                if try await site.rows("SELECT slug FROM items WHERE deleted_at IS NULL").count < 3 { break }
            }
        }
    }

    @Test("A large change affects sections once it is indexed")
    func indexedAfterCommit() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#""rule": {"category": "tools"}, "size": 3"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(
                "SELECT pg_temp.top_app('x' || n, '{\"en\": \"Crate\"}', rating => 5, ratings => n) FROM generate_series(1, 150) AS n")
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("SELECT derive_items(1000)")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["x150", "x149", "x148"]])
            try await Self.expectNothingLeft(site)
        }
    }

    @Test("A changed item ID affects the placements of the item")
    func changedID() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#""rule": {"category": "tools"}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            let before = try await site.visibleItems("today")
            try await site.sql("UPDATE items SET id = md5('another')::uuid WHERE slug = 'c'")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == before)
            let others = try await site.rows("SELECT id FROM published WHERE kind = 'placement' AND document ->> 'item' <> item_id::text")
            #expect(others.isEmpty)
            try await Self.expectNothingLeft(site)
        }
    }

    @Test("After a drain that failed for an external cause, the next one composes only the affected sections")
    func afterFailure() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#""rule": {"kind": "topApp"}, "sort": "title", "size": 1"#))
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            try await other.runScript("hold", "BEGIN; LOCK TABLE vitrine.published IN SHARE MODE", until: .soon)
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'e'; SET lock_timeout = '50ms'")
            await #expect(throws: PostgresError.self) { try await sequencer.drain(site.connection, until: .soon) }
            try await other.runScript("release", "ROLLBACK", until: .soon)
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.versions > 0 && report.composedSections == 0)
            try await Self.expectNothingLeft(site)
        }
    }

    @Test("An item that is pinned by two references has one placement")
    func pinnedTwice() async throws {
        let pins = #""pins": [{"slot": 0, "item": "topapp:c"}, {"slot": 2, "item": "4a8a08f0-9d37-b737-9564-9038408b5f33"}], "size": 4"#
        try await Site.run(Self.apps) { site in
            #expect(try await site.rows("SELECT id::text FROM items WHERE slug = 'c'") == ["4a8a08f0-9d37-b737-9564-9038408b5f33"])
            try await site.publish(Self.feed("\(pins), \"rule\": {\"kind\": \"topApp\"}"))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["c", "e", "d", "b"]])
        }
    }

    @Test("An edit that changes nothing that rules and orders read composes only the sections that are sorted by title")
    func unchangedFacts() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#""rule": {"kind": "topApp"}"#))
            try await site.publish(
                Self.feed(#""rule": {"kind": "topApp"}, "sort": "title""#).replacing(#""feed": "today""#, with: #""feed": "titles""#))
            var sequencer = try site.sequencer()
            func composed(_ change: String) async throws -> Int {
                try await site.sql(change)
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.versions > 0)
                try await Self.expectNothingLeft(site)
                return report.composedSections
            }
            _ = try await sequencer.drain(site.connection, until: .soon)
            let item = "WHERE item_id = md5('c')::uuid"
            // One section in each of three storefronts.
            #expect(try await composed("UPDATE item_texts SET subtitle = 'Other' \(item)") == 3)
            #expect(try await composed("UPDATE item_texts SET title = 'z' \(item)") == 3)
            #expect(try await site.visibleItems("titles") == ["titles/all": ["a", "b", "d", "e", "c"]])
            // Each of the edits changes a fact, also back to an earlier one.
            for rating in [5, 1, 5] {
                #expect(try await composed("UPDATE items SET rating_average = \(rating) WHERE slug = 'c'") == 6)
                let printed = try await site.visibleItems("today")["today/all"]
                #expect((rating == 5 ? printed?.first : printed?.last) == "c")
            }
            #expect(try await composed("UPDATE item_texts SET subtitle = 'Last' \(item)") == 3)
            // An item that returns is not known by the facts that it had.
            #expect(try await composed("UPDATE items SET deleted_at = now() WHERE slug = 'c'") == 6)
            #expect(try await composed("UPDATE items SET deleted_at = NULL WHERE slug = 'c'") == 6)
        }
    }

    @Test("An edit whose transaction waits changes all sections when it is taken, although one was composed with it before")
    func factsOfWaitingChanges() async throws {
        try await Site.run(Self.apps) { site in
            try await site.sql("UPDATE items SET rating_average = 2 WHERE slug = 'a'")
            try await site.publish(Self.feed(#""rule": {"kind": "topApp"}"#))
            try await site.publish(
                Self.feed(#""rule": {"rating": {"atLeast": 3}}"#).replacing(#""feed": "today""#, with: #""feed": "rated""#))
            var sequencer = try site.sequencer(maxEdits: 1)
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            #expect(try await site.visibleItems("rated")["rated/all"]?.sorted() == ["b", "c", "d", "e"])
            // The second transaction has too many changes for the share of the first drain, which composes only `today`.
            try await site.sql("UPDATE items SET rating_average = 2.5 WHERE slug = 'a'")
            try await site.sql("UPDATE items SET rating_average = 1 WHERE slug IN ('c', 'd')")
            #expect(try await !sequencer.drain(site.connection, until: .soon).isComplete)
            #expect(try await sequencer.drain(site.connection, until: .soon).isComplete)
            #expect(try await site.visibleItems("rated")["rated/all"]?.sorted() == ["b", "e"])
            try await Self.expectNothingLeft(site)
        }
    }
}
