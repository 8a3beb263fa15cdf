import EventLoop
import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("Sections that imports have made due", .databaseForEachTest)
struct DueSectionTests {
    /// Five items that all sections show in part.
    private static let items = """
        SELECT pg_temp.top_app('x' || n, '{"en": "App"}', rating => 4, ratings => n) FROM generate_series(1, 5) AS n;
        """

    /// Four sections, which are twelve in three storefronts.
    private static let feed = document(
        ["a", "b", "c", "d"].map {
            #"{"key": "\#($0)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 3}"#
        }
    )

    private static func document(_ sections: [String]) -> String {
        #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }

    /// Returns a transaction of an import. It indexes few items immediately, unless it queues them.
    private static func imported(_ script: String, queues: Bool = false) -> String {
        """
        BEGIN; SELECT set_config('vitrine.is_import', 'on', true), set_config('vitrine.queues_items', '\(queues ? "on" : "off")', true);
        \(script); COMMIT;
        """
    }

    /// Returns the script of eight items that are better than all present ones.
    private static func better(_ name: String) -> String {
        "SELECT pg_temp.top_app('\(name)' || n, '{\"en\": \"App\"}', rating => 5, ratings => n) FROM generate_series(1, 8) AS n"
    }

    /// Changes the title of a shown item, and no fact.
    private static func retitle(_ title: String, _ site: Site) async throws {
        try await site.sql("UPDATE item_texts SET title = '\(title)' WHERE item_id = md5('x5')::uuid")
    }

    private static func isHeadComplete(_ site: Site) async throws -> Bool {
        try await site.rows("SELECT is_complete::text FROM sync_head") == ["true"]
    }

    /// The head that servers and clients see.
    private static func head(_ site: Site) async throws -> [String] {
        try await site.rows("SELECT version || CASE WHEN is_complete THEN '' ELSE '+' END FROM sync_head")
    }

    private static func sequencer(_ site: Site) throws -> Sequencer { try site.sequencer(maxImported: 4, maxDue: 2) }

    private static func finish(_ sequencer: inout Sequencer, _ site: Site) async throws {
        while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
        #expect(try await isHeadComplete(site))
        #expect(try await site.rows(LoosePlacements.sql).isEmpty)
        var another = try site.sequencer()
        #expect(try await another.drain(site.connection, until: .soon).versions == 0)
    }

    @Test("A drain publishes the items of an import, later ones compose a few of its sections each, and an edit waits for none of them")
    func parts() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            let items = try await sequencer.drain(site.connection, until: .soon)
            #expect(items.changes == 8 && items.versions == 8 && items.composedSections == 0)
            #expect(items.dueSections == 12 && !items.isComplete && items.nextTime == .earliest)
            try await Self.retitle("Other", site)
            let edit = try await sequencer.drain(site.connection, until: .soon)
            #expect(edit.changes == 1 && edit.versions == 1 && edit.composedSections == 0 && edit.dueSections == 12)
            for left in [10, 8, 6, 4, 2, 0] {
                #expect(try await !Self.isHeadComplete(site))
                let part = try await sequencer.drain(site.connection, until: .soon)
                #expect(part.composedSections == 2 && part.dueSections == left && part.isComplete == (left == 0))
            }
            let best = ["a8", "a7", "a6"]
            #expect(try await site.visibleItems("today") == ["today/a": best, "today/b": best, "today/c": best, "today/d": best])
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("Imports and due sections take turns, and the sections that wait longest are composed first")
    func turns() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            for name in ["a", "b", "c"] { try await site.sql(Self.imported(Self.better(name))) }
            var drains: [String] = []
            for _ in 0..<6 {
                let report = try await sequencer.drain(site.connection, until: .soon)
                drains.append("\(report.changes) \(report.composedSections)")
            }
            #expect(drains == ["8 0", "0 2", "8 0", "0 2", "8 0", "0 2"])
            let composed = try await site.rows(
                """
                SELECT count(DISTINCT (storefront, split_part(published.id, '/', 2)))::text
                FROM published JOIN items ON items.id = item_id
                WHERE published.kind = 'placement' AND document IS NOT NULL AND NOT starts_with(items.slug, 'x')
                """)
            #expect(composed == ["6"])
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("After one import, no drain composes more than its part of the sections, however long the others wait")
    func once() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            #expect(try await sequencer.drain(site.connection, until: .soon).dueSections == 12)
            for left in [10, 8, 6, 4, 2, 0] {
                sequencer.clockAhead += .seconds(40)
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.composedSections == 2 && report.dueSections == left)
            }
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("An import of a few items is published in one drain with its sections, if no edit waits", arguments: [false, true])
    func few(hasEdit: Bool) async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try site.sequencer(maxImported: 40, maxDue: 2)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            if hasEdit { try await Self.retitle("Other", site) }
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.changes == (hasEdit ? 9 : 8) && report.composedSections == (hasEdit ? 0 : 12))
            #expect(report.isComplete == !hasEdit)
            try await Self.finish(&sequencer, site)
            #expect(try await site.visibleItems("today")["today/d"] == ["a8", "a7", "a6"])
        }
    }

    @Test("While small imports arrive in each drain, the head is complete again after half a minute")
    func steady() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            var complete: [Bool] = []
            for (number, seconds) in [0, 10, 20, 30, 45, 50, 60].enumerated() {
                sequencer.clockAhead = .seconds(seconds)
                let item = "SELECT pg_temp.top_app('a\(number)', '{\"en\": \"App\"}', rating => 5, ratings => \(number + 1))"
                try await site.sql(Self.imported(item))
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.changes == 1 && report.composedSections == (report.isComplete ? 12 : 2))
                #expect(try await Self.isHeadComplete(site) == report.isComplete)
                complete.append(report.isComplete)
            }
            #expect(complete == [false, false, false, false, true, false, false])
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("A stream of edits does not stop due sections, and no drain composes more than its part of them")
    func edits() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            var due = try await sequencer.drain(site.connection, until: .soon).dueSections
            var drains = 0
            while due > 0, drains < 40 {
                drains += 1
                try await Self.retitle("Title \(drains)", site)
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.changes == 1 && report.composedSections <= 2)
                due = report.dueSections
            }
            // Every other drain has edits alone, until the rest of the sections is one part.
            #expect(due == 0 && drains == 11)
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("The drain that removes an item composes all sections that show it, although an import has withdrawn it")
    func withdrawn() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try site.sequencer(maxImported: 1, maxDue: 1)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported("UPDATE items SET deleted_at = now() WHERE slug IN ('x1', 'x5')"))
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.changes == 2 && report.composedSections == 12 && report.isComplete)
            #expect(try await site.visibleItems("today")["today/d"] == ["x4", "x3", "x2"])
            try await Self.finish(&sequencer, site)
        }
    }

    /// Two sections, and the same with one between them on which the last one depends.
    private static let chains = [
        [
            #"{"key": "best", "layout": {"list": {}}, "cell": "row", "rule": {"rating": {"atLeast": 3}}, "size": 2}"#,
            #"{"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": "best"}}, "size": 9}"#,
        ],
        [
            #"{"key": "best", "layout": {"list": {}}, "cell": "row", "rule": {"rating": {"atLeast": 3}}, "size": 2}"#,
            #"{"key": "same", "layout": {"list": {}}, "cell": "row", "rule": {"inSection": "best"}, "size": 2}"#,
            #"{"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": "same"}}, "size": 9}"#,
        ],
    ]

    @Test("An imported chart makes only the sections due that it orders")
    func charts() async throws {
        let charts = """
            INSERT INTO charts (storefront, name) VALUES ('us', 'top-free');
            INSERT INTO chart_entries SELECT 'us', 'top-free', ratings, md5('x' || ratings)::uuid FROM generate_series(1, 5) AS ratings;
            """
        try await Site.run(Self.items + charts) { site in
            try await site.publish(
                Self.document([
                    #"{"key": "top", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": {"chart": "top-free"}, "size": 2}"#,
                    #"{"key": "best", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 2}"#,
                ]))
            var sequencer = try site.sequencer(maxImported: 0)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported("UPDATE chart_entries SET rank = 9 WHERE rank = 1"))
            let chart = try await sequencer.drain(site.connection, until: .soon)
            #expect(chart.composedSections == 0 && chart.dueSections == 1)
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 1)
            #expect(try await site.visibleItems("today") == ["today/top": ["x2", "x3"], "today/best": ["x5", "x4"]])
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("An edit of a section below a due one composes both, so that no section repeats items of an outdated one", arguments: chains)
    func related(sections: [String]) async throws {
        try await Site.run(Self.items) { site in
            try await site.sql("UPDATE items SET rating_average = 2 WHERE slug = 'x1'")
            try await site.publish(Self.document(sections))
            var sequencer = try site.sequencer(maxImported: 4, maxDue: 1)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            // No imported item is in the first section yet, so the section between them is not affected.
            #expect(try await sequencer.drain(site.connection, until: .soon).dueSections == 6)
            // Only the last section finds this item.
            try await site.sql("UPDATE items SET rating_count = 50 WHERE slug = 'x1'")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.composedSections == 3 * sections.count && report.isComplete)
            let visible = try await site.visibleItems("today")
            #expect(visible["today/best"] == ["a8", "a7"] && visible["today/rest"]?.first == "a6")
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("A drain takes due sections until it has enough together with those below them")
    func groups() async throws {
        try await Site.run(Self.items) { site in
            let sections = ["a", "b"].flatMap { top in
                [#"{"key": "\#(top)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 2}"#]
                    + (1...3).map {
                        #"{"key": "\#(top)\#($0)", "layout": {"list": {}}, "cell": "row", "rule": {"inSection": "\#(top)"}, "size": 2}"#
                    }
            }
            try await site.publish(Self.document(sections))
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            // Two of each storefront. Those below them change with them.
            #expect(try await sequencer.drain(site.connection, until: .soon).dueSections == 6)
            for left in [5, 4, 3, 2, 1, 0] {
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.composedSections == 4 && report.dueSections == left)
            }
            #expect(try await site.visibleItems("today")["today/b3"] == ["a8", "a7"])
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("Sections that a new revision no longer has are not due")
    func removed() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(Self.imported(Self.better("a")))
            #expect(try await sequencer.drain(site.connection, until: .soon).dueSections == 12)
            try await site.publish(
                Self.document([#"{"key": "a", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 3}"#]))
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.composedSections == 3 && report.dueSections == 0 && report.isComplete)
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("Edits are published although a due section cannot be, and the section after that")
    func failure() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON published FOR EACH ROW
                    WHEN (NEW.kind = 'placement' AND NEW.item_id = md5('a8')::uuid) EXECUTE FUNCTION refuse();
                """)
            try await site.sql(Self.imported(Self.better("a")))
            #expect(try await sequencer.drain(site.connection, until: .soon).dueSections == 12)
            var failures = 0
            for number in 1...4 {
                try await Self.retitle("Title \(number)", site)
                var attempts = 0
                let title = "SELECT document -> 'title' ->> 'en' FROM published WHERE kind = 'item' AND id = md5('x5')::uuid::text"
                while try await site.rows(title) != ["Title \(number)"], attempts < 3 {
                    attempts += 1
                    do {
                        _ = try await sequencer.drain(site.connection, until: .soon)
                    } catch let error as PostgresError where error.sqlState?.rawValue == "53100" {
                        failures += 1
                    }
                }
                #expect(attempts <= 2)
            }
            #expect(failures == 3)
            try await site.sql("DROP TRIGGER refuse ON published")
            try await Self.finish(&sequencer, site)
            #expect(try await site.visibleItems("today")["today/d"] == ["a8", "a7", "a6"])
        }
    }

    @Test("A due section that cannot be published stops neither imports nor the other due sections")
    func failingSection() async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON published FOR EACH ROW
                    WHEN (NEW.kind = 'placement' AND NEW.storefront = 'us' AND starts_with(NEW.id, 'today/a/')) EXECUTE FUNCTION refuse();
                """)
            // One item is published in one drain with its sections, if this does not fail.
            let small = "SELECT pg_temp.top_app('best', '{\"en\": \"App\"}', rating => 5, ratings => 100)"
            for script in [Self.better("a"), small] {
                try await site.sql(Self.imported(script))
                var (changes, due, drains, failures) = (0, 0, 0, 0)
                while changes == 0 || due > 1, drains < 40 {
                    drains += 1
                    do {
                        let report = try await sequencer.drain(site.connection, until: .soon)
                        (changes, due) = (changes + report.changes, report.dueSections)
                    } catch let error as PostgresError where error.sqlState?.rawValue == "53100" {
                        failures += 1
                    }
                }
                #expect(changes > 0 && due == 1 && failures > 0)
            }
            let best = ["best", "a8", "a7"]
            let (us, other) = (try await site.visibleItems("today"), try await site.visibleItems("today", in: "de"))
            #expect(us == ["today/a": ["x5", "x4", "x3"], "today/b": best, "today/c": best, "today/d": best])
            #expect(other["today/a"] == best)
            try await site.sql("DROP TRIGGER refuse ON published")
            try await Self.finish(&sequencer, site)
            #expect(try await site.visibleItems("today")["today/a"] == best)
        }
    }

    /// Replaces the sequencer by one of the next session of its process.
    private static func startSession(_ sequencer: inout Sequencer, _ site: Site) throws {
        let before = sequencer
        sequencer = try Self.sequencer(site)
        (sequencer.turn, sequencer.failed, sequencer.clockAhead) = (before.turn, before.failed, before.clockAhead)
    }

    @Test(
        "A section whose publication ends each session keeps its items until a later attempt, and everything else is published",
        arguments: ["23514", "XX000"], [false, true])
    func endedSessions(code: String, isFirst: Bool) async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            try await Self.finish(&sequencer, site)
            try await site.sql(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken' USING ERRCODE = '\(code)'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON published FOR EACH ROW
                    WHEN (NEW.kind = 'placement' AND NEW.storefront = 'us' AND starts_with(NEW.id, 'today/a/')) EXECUTE FUNCTION refuse();
                """)
            try await site.sql(Self.imported(Self.better("a")))
            // The first drain of a new leader composes all sections.
            if isFirst { sequencer = try Self.sequencer(site) }
            var (failures, drains, isComplete, notices) = (0, 0, false, [SequencerWarning]())
            while !isComplete, drains < 60 {
                drains += 1
                do {
                    let report = try await sequencer.drain(site.connection, until: .soon)
                    isComplete = report.isComplete
                    notices += report.notices
                } catch let error as PostgresError where error.sqlState?.rawValue == code {
                    failures += 1
                    try Self.startSession(&sequencer, site)
                }
            }
            #expect(isComplete && failures == 2 && notices == [.failed(section: "today/a", storefront: "us")])
            #expect(try await Self.isHeadComplete(site))
            let best = ["a8", "a7", "a6"]
            #expect(
                try await site.visibleItems("today") == ["today/a": ["x5", "x4", "x3"], "today/b": best, "today/c": best, "today/d": best])
            #expect(try await site.visibleItems("today", in: "de")["today/a"] == best)
            // An edit composes the other sections.
            try await site.sql("UPDATE items SET rating_count = 50 WHERE slug = 'a6'")
            let edit = try await sequencer.drain(site.connection, until: .soon)
            #expect(edit.composedSections == 11 && edit.failedSections == 1 && edit.isComplete && edit.notices.isEmpty)
            sequencer.clockAhead = .seconds(70)
            let before = sequencer
            do {
                _ = try await sequencer.drain(site.connection, until: .soon)
                Issue.record("the section was not tried again")
            } catch let error as PostgresError where error.sqlState?.rawValue == code {
                sequencer = before
            }
            try await site.sql("DROP TRIGGER refuse ON published")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.notices == [.recovered(section: "today/a", storefront: "us")] && report.failedSections == 0)
            #expect(report.composedSections == 1 && report.isComplete)
            #expect(try await site.visibleItems("today")["today/a"] == ["a6", "a8", "a7"])
            sequencer.clockAhead = .zero
            try await Self.finish(&sequencer, site)
        }
    }

    @Test("A complete head stays complete while sections are due, until one of them changes", arguments: [false, true])
    func sameHead(changes: Bool) async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var sequencer = try Self.sequencer(site)
            // Worse items affect all sections, and are in none.
            let script = changes ? Self.better("a") : Self.better("a").replacing("rating => 5", with: "rating => 1")
            try await site.sql(Self.imported(script, queues: true))
            try await Self.finish(&sequencer, site)
            let head = try await Self.head(site)
            // Indexing publishes no item again.
            try await site.sql("SELECT derive_items(1000)")
            let session = PostgresSession(site.connection, within: .seconds(60))
            for left in [12, 10, 8, 6, 4, 2, 0] {
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.dueSections == left)
                let isSame = !changes || left == 12
                #expect(try await isSame == (Self.head(site) == head))
                #expect(try await Self.isHeadComplete(site) == (isSame || left == 0))
                #expect(try await (sequencer.audit("us", session) == nil) == (left > 0))
            }
            try await Self.finish(&sequencer, site)
        }
    }

    @Test(
        "Another sequencer composes the due sections that one has left, even if that one has published nothing", arguments: [false, true])
    func another(isNew: Bool) async throws {
        try await Site.run(Self.items) { site in
            try await site.publish(Self.feed)
            var (first, second) = (try Self.sequencer(site), try Self.sequencer(site))
            try await site.sql(Self.imported(Self.better("a"), queues: true))
            try await Self.finish(&first, site)
            if !isNew { try await Self.finish(&second, site) }
            // Indexing publishes no item again.
            try await site.sql("SELECT derive_items(1000)")
            let left = try await first.drain(site.connection, until: .soon)
            #expect(left.changes == 8 && left.versions == 0 && left.dueSections == 12)
            #expect(try await site.rows("SELECT due_sections::text FROM sync_head") == ["12"])
            let session = PostgresSession(site.connection, within: .seconds(60))
            #expect(try await second.audit("us", session) == nil)
            let report = try await second.drain(site.connection, until: .soon)
            #expect(report.composedSections == 12 && report.isComplete)
            #expect(try await site.visibleItems("today")["today/a"] == ["a8", "a7", "a6"])
            #expect(try await second.audit("us", session)?.differences.isEmpty ?? false)
            let late = try await first.drain(site.connection, until: .soon)
            #expect(late.versions == 0 && late.isComplete)
            try await Self.finish(&first, site)
        }
    }
}
