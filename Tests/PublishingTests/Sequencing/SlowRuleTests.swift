import EventLoop
import Feeds
import JSON
import Layout
import Postgres
import ScreenFiles
import Security
import TestDatabase
import Testing
import Values

@testable import Publishing

@Suite("A slow rule", .databaseForEachTest)
struct SlowRuleTests {
    private static let catalog =
        CatalogRows.served + """
            SELECT pg_temp.top_app(name, jsonb_build_object('en', name), rating => 4, ratings => 10) FROM unnest('{a,b,c}'::text[]) AS name;
            INSERT INTO charts SELECT key, 'top' FROM storefronts;
            INSERT INTO chart_entries SELECT key, 'top', ascii(slug) - 96, id FROM storefronts, items;
            """

    /// Ten sections with fast rules, and among them one that needs the chart.
    private static let feed: String = {
        let quick = (1...10).map { #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}"# }
        let slow =
            #"{"key": "slow", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": {"chart": "top"}, "minItems": 2}"#
        let sections = quick.prefix(5) + [slow] + quick.suffix(5)
        return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    private static let limit = Duration.milliseconds(200)

    /// Runs a body with a second connection, which can lock the chart.
    private static func run(
        _ body: @escaping @Sendable (Site, _ other: PostgresConnection, inout Sequencer) async throws -> Void
    ) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run(catalog) { site in
            try await site.publish(feed)
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            var sequencer = Sequencer(
                ruleTime: limit, hashedBy: Digest.sha256)
            try await body(site, other, &sequencer)
        }
    }

    private static func lock(_ other: PostgresConnection) async throws {
        try await other.runScript("lock", "BEGIN; LOCK vitrine.chart_entries IN ACCESS EXCLUSIVE MODE", until: .soon)
    }

    /// Returns the number of storefronts with a slow rule among some findings.
    private static func slowRules(in findings: [LiveFinding]) -> Int {
        findings.filter { $0.code == "RULE_TOO_SLOW" }.map(\.storefronts.count).reduce(0, +)
    }

    @Test("A slow list does not delay its shelf, and outlives a change of the title")
    func slowList() async throws {
        @Sendable func feed(_ title: String) -> String {
            let list = #""seeAll": {"title": {"en": "All"}, "sort": {"chart": "top"}}"#
            let section =
                #"{"key": "all", "title": {"en": "\#(title)"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 2, \#(list)}"#
            return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(section)]}"#
        }
        try await Self.run { site, other, sequencer in
            try await site.publish(feed("A"))
            try await Self.lock(other)
            let first = try await sequencer.drain(site.connection, until: .soon)
            // A drain tries the rule in two storefronts, and the third one waits, which is no finding.
            #expect(first.slowSections == 2 && first.waitingSections == 1)
            #expect(Self.slowRules(in: first.startedFindings) == 2)
            #expect(try await site.visibleItems("today")["today/all"]?.count == 2)
            #expect(try await site.listedItems("today") == [:])
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
            sequencer.clockAhead = .seconds(120)
            let second = try await sequencer.drain(site.connection, until: .soon)
            #expect(second.slowSections == 0 && second.waitingSections == 0)
            #expect(Self.slowRules(in: second.endedFindings) == 2)
            #expect(try await site.rows("SELECT code FROM live_findings").isEmpty)
            #expect(try await site.listedItems("today") == ["today/all": ["a", "b", "c"]])
            try await Self.lock(other)
            try await site.publish(feed("B"))
            let third = try await sequencer.drain(site.connection, until: .soon)
            #expect(third.slowSections > 0)
            #expect(try await site.listedItems("today") == ["today/all": ["a", "b", "c"]])
        }
    }

    @Test("A section that shares the query of a larger one waits one drain if that query is too slow, and is not slow itself")
    func smallerSection() async throws {
        @Sendable func section(_ key: String, size: Int) -> String {
            let rule = #""rule": {"kind": "topApp"}, "sort": {"chart": "top"}"#
            return #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "row", \#(rule), "size": \#(size)}"#
        }
        try await Self.run { site, other, sequencer in
            let sections = [section("small", size: 1), section("large", size: 20), section("other", size: 2)].joined(separator: ", ")
            try await site.publish(#"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections)]}"#)
            try await Self.lock(other)
            let first = try await sequencer.drain(site.connection, until: .soon)
            // A drain tries the rule in two storefronts, and all other sections wait.
            #expect(first.slowSections == 2 && first.waitingSections == 3 * 3 - 2)
            #expect(Self.slowRules(in: first.startedFindings) == 2)
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
            sequencer.clockAhead = .seconds(2)
            let second = try await sequencer.drain(site.connection, until: .soon)
            #expect(second.slowSections == 2 && second.waitingSections == 0)
            var visible: [[String: [String]]] = []
            for storefront in ["de", "sa", "us"] { visible.append(try await site.visibleItems("today", in: storefront)) }
            for sections in visible { #expect(sections["today/small"] == ["a"] && sections["today/other"] == ["a", "b"]) }
            #expect(visible.count { $0["today/large"] == nil } == 2)
        }
    }

    @Test("Slow rules delay a drain by at most two timeouts, and are tried again after growing pauses")
    func budget() async throws {
        try await Self.run { site, other, sequencer in
            let storefronts = try await site.rows("SELECT key FROM storefronts").count
            try await Self.lock(other)
            let began = ContinuousClock.now
            let first = try await sequencer.drain(site.connection, until: .soon)
            // Halving the eleven sections of each storefront would take five times as long for each slow rule.
            #expect(ContinuousClock.now - began < Self.limit * 2 + .seconds(2))
            #expect(Self.slowRules(in: first.startedFindings) == 2 && first.slowSections == 2 && first.composedSections == 11 * storefronts)
            let printed = try await site.visibleItems("today")
            #expect(printed.count == 10 && printed.values.allSatisfy { $0 == ["c", "b", "a"] })
            // The following drains try the others, two each.
            var (slow, seconds) = (2, 0)
            while slow < storefronts {
                seconds += 2
                sequencer.clockAhead = .seconds(seconds)
                let next = try await sequencer.drain(site.connection, until: .soon)
                #expect(next.slowSections > slow && next.slowSections <= slow + 2 && next.composedSections == storefronts - slow)
                slow = next.slowSections
            }
            sequencer.clockAhead = .seconds(seconds + 2)
            // A change does not make them run earlier.
            try await site.sql("UPDATE items SET rating_count = 99 WHERE slug = 'a'")
            let changed = try await sequencer.drain(site.connection, until: .soon)
            #expect(changed.notices.isEmpty && changed.startedFindings.isEmpty && changed.slowSections == storefronts)
            #expect(try await site.visibleItems("today")["today/s1"] == ["a", "c", "b"])
            // They run again after a minute, and the next time not before two minutes.
            sequencer.clockAhead = .seconds(120)
            let again = try await sequencer.drain(site.connection, until: .soon)
            #expect(again.slowSections == storefronts && again.notices.isEmpty && again.startedFindings.isEmpty)
            let slowRules = "SELECT section || ' ' || code FROM live_findings WHERE code = 'RULE_TOO_SLOW'"
            #expect(try await site.rows(slowRules) == Array(repeating: "slow RULE_TOO_SLOW", count: storefronts))
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
            sequencer.clockAhead = .seconds(170)
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today")["today/slow"] == nil)
            sequencer.clockAhead = .seconds(400)
            let last = try await sequencer.drain(site.connection, until: .soon)
            #expect(last.slowSections == 0)
            #expect(try await site.rows("SELECT code FROM live_findings").isEmpty)
            #expect(Self.slowRules(in: last.endedFindings) == storefronts)
            #expect(try await site.visibleItems("today")["today/slow"] == ["a", "b", "c"])
        }
    }

    @Test("A section with a slow rule is retained, without withdrawn items")
    func withdrawn() async throws {
        try await Self.run { site, other, sequencer in
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today")["today/slow"] == ["a", "b", "c"])
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            try await Self.lock(other)
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.slowSections == 2)
            for storefront in try await site.rows("SELECT key FROM storefronts") {
                #expect(try await site.visibleItems("today", in: storefront)["today/slow"] == ["a", "c"])
            }
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
        }
    }

    /// A catalog in which every query takes a tenth of a second, which is below the timeout.
    private static let sluggish = """
        ALTER TABLE chart_entries RENAME TO quick_entries;
        CREATE VIEW chart_entries AS SELECT * FROM quick_entries WHERE (SELECT pg_sleep(0.1) IS NOT NULL);
        """

    private static let charted: String = {
        // Sections with the same rule would share a query.
        let sections = (1...6).map { index in
            let rule = #"{"all": [{"kind": "topApp"}, {"rating": {"atLeast": 0.\#(index)}}]}"#
            return #"{"key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "rule": \#(rule), "sort": {"chart": "top"}}"#
        }
        return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    @Test("If many rules together exceed the time budget, the rest waits for the next drain and is reported")
    func together() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.charted)
            let storefronts = try await site.rows("SELECT key FROM storefronts")
            let sections = 6 * storefronts.count
            var sequencer = Sequencer(
                timeForRules: .milliseconds(500), hashedBy: Digest.sha256)
            _ = try await sequencer.drain(site.connection, until: .soon)
            let before = try await site.visibleItems("today")
            try await site.sql(Self.sluggish + "UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            var waiting: [Int] = []
            repeat {
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.slowSections == 0 && report.retainedSections == 0)
                if waiting.isEmpty {
                    #expect(report.composedSections == sections)
                    #expect(report.notices.count { if case .skipped = $0 { true } else { false } } == report.waitingSections)
                    // Withdrawn items are removed from the waiting sections as well.
                    #expect(try await site.visibleItems("today") == before.mapValues { $0.filter { $0 != "b" } })
                } else {
                    #expect(report.notices.count == waiting[waiting.count - 1] - report.waitingSections)
                }
                waiting.append(report.waitingSections)
                sequencer.clockAhead += .seconds(2)
            } while waiting[waiting.count - 1] > 0 && waiting.count < sections
            // A round trip has eight rules.
            #expect(waiting.first.map { $0 >= sections - 8 && $0 < sections } == true && waiting.last == 0)
            #expect(zip(waiting, waiting.dropFirst()).allSatisfy { $0 > $1 })
        }
    }

    @Test("A section for which a new leader has no time has its findings until its rule succeeds")
    func newLeader() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.charted.replacing(#""sort""#, with: #""minItems": 3, "sort""#))
            var first = try site.sequencer()
            _ = try await first.drain(site.connection, until: .soon)
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            _ = try await first.drain(site.connection, until: .soon)
            let list = "SELECT concat_ws(' ', storefront, section, code, since) FROM live_findings WHERE section IS NOT NULL ORDER BY 1"
            let before = try await site.rows(list)
            let storefronts = try await site.rows("SELECT key FROM storefronts").count
            #expect(before.count == 6 * storefronts && before.allSatisfy { $0.contains("SECTION_MISSING") })
            try await site.sql(Self.sluggish)
            var second = Sequencer(timeForRules: .milliseconds(500), hashedBy: Digest.sha256)
            let report = try await second.drain(site.connection, until: .soon)
            #expect(report.waitingSections > 0)
            #expect(try await site.rows(list) == before)
            try await site.sql("UPDATE items SET deleted_at = NULL")
            var (waiting, drains) = (report.waitingSections, 0)
            while waiting > 0, drains < 6 * storefronts {
                second.clockAhead += .seconds(2)
                waiting = try await second.drain(site.connection, until: .soon).waitingSections
                drains += 1
            }
            #expect(waiting == 0)
            #expect(try await site.rows(list).isEmpty)
        }
    }

    @Test("A review reports slow rules, and rules that were skipped for lack of time")
    func reviewed() async throws {
        try await Site.run(Self.catalog + Self.sluggish) { site in
            let matrix = try ScreenMatrix.builtIn()
            let document = try FeedDocument(parsing: Array(Self.charted.utf8))
            func findings(each: Duration, all: Duration) async throws -> [ReviewFinding] {
                try await site.connection.transaction(until: .soon) { connection in
                    let preview = PreviewComposer(
                        ruleTime: each, timeForRules: all, hashedBy: Digest.sha256, PostgresSession(connection, within: .seconds(60)))
                    return try await preview.review(document, on: matrix).filter { $0.code == .ruleTooSlow }
                }
            }
            let slow = try await findings(each: .milliseconds(20), all: .seconds(30))
            #expect(slow.map(\.section?.text) == (1...6).map { "s\($0)" } && slow.allSatisfy { $0.severity == .error })
            #expect(slow.first?.message.hasPrefix("the rule of the section s1 takes too long in ") == true)
            let hurried = try await findings(each: .seconds(30), all: .milliseconds(200))
            #expect(hurried.last?.section?.text == "s6" && hurried.last?.message.contains("was skipped in") == true)
            #expect(try await findings(each: .seconds(30), all: .seconds(60)).isEmpty)
        }
    }

    @Test("The first rule of a preview shows that rules are fast, and the others share round trips")
    func fastRules() async throws {
        // Each round trip reads the counts of listings once. The review reads them three times more: for cuisines, developers and tags.
        let counting = """
            CREATE SEQUENCE count_reads;
            ALTER TABLE listing_counts RENAME TO counts;
            CREATE VIEW listing_counts AS SELECT * FROM counts WHERE (SELECT nextval('count_reads') IS NOT NULL);
            """
        try await Site.run(Self.catalog) { site in
            try await site.sql(counting)
            let matrix = try ScreenMatrix.builtIn()
            let document = try FeedDocument(parsing: Array(Self.charted.utf8))
            // The budget is as long as the limit of one rule, so a rule of unknown duration runs alone.
            let findings = try await site.connection.transaction(until: .soon) { connection in
                let composer = PreviewComposer(
                    ruleTime: .seconds(60), timeForRules: .seconds(60), hashedBy: Digest.sha256,
                    PostgresSession(connection, within: .seconds(60)))
                return try await composer.review(document, on: matrix)
            }
            #expect(!findings.contains { $0.code == .ruleTooSlow })
            let others = try await 6 * site.rows("SELECT key FROM storefronts").count - 1
            let reads = try await site.rows("SELECT last_value::text FROM count_reads")
            #expect(reads == ["\(1 + (others + 7) / 8 + 3)"])
        }
    }

    @Test("A slow rule is known once for any number of storefronts, by its part and without the sizes of the sections above")
    func slowSelections() throws {
        func section(below size: Int) throws -> FeedSection {
            let hero = #"{"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": \#(size)}"#
            let rest = #"{"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": "hero"}}}"#
            let text = #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(hero), \#(rest)]}"#
            return try #require(try FeedDocument(parsing: Array(text.utf8)).sections.last)
        }
        let (section, other) = (try section(below: 3), try section(below: 6))
        #expect(section.shelf != other.shelf)
        let backoff = RuleBackoff(selection: section.shelf, pause: RuleBackoff.shortestPause, until: .epoch)
        let part = SectionPart.shelf(section.key)
        let causes: [SectionPart: RetainedSectionCause] = [part: .timeout(backoff), .list(section.key): .skipped]
        for storefronts in [3, 300] {
            let slow = SlowSelections(of: Array(repeating: causes, count: storefronts))
            #expect(slow.count == 1)
            #expect(slow.contains(section.shelf, in: part) && slow.contains(other.shelf, in: part))
            #expect(!slow.contains(section.shelf, in: .list(section.key)))
        }
        let changed = RuleBackoff(selection: other.shelf, pause: RuleBackoff.longestPause, until: .epoch)
        #expect(SlowSelections(of: [causes, [part: .timeout(changed)]]).count == 1)
        #expect(SlowSelections(of: [[part: RetainedSectionCause.skipped]]).count == 0)
    }

    @Test(
        "A round trip has no more rules than the rest of the time budget allows, and at least one",
        arguments: [
            (30_000, nil, 8), (8_050, nil, 8), (3_500, nil, 3), (900, nil, 1), (0, nil, 1), (3_500, 100, 8), (3_500, 400, 8),
            (3_500, 800, 4),
        ])
    func roundTrips(milliseconds: Int, slowest: Int?, count: Int) {
        var budget = RuleTimeBudget(for: .max, each: .seconds(1), within: .milliseconds(milliseconds))
        if let slowest {
            budget.record(4, in: .milliseconds(4 * slowest))
            budget.record(8, in: .milliseconds(8))
        }
        #expect(budget.count(atMost: 8) == count)
    }
}
