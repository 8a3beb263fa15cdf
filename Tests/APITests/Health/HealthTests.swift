import Access
import EventLoop
import Feeds
import HTTPMessages
import JSON
import Layout
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API

/// Each code of a finding, caused and ended in a running server.
@Suite("Health", .databaseForEachTest)
struct HealthTests {
    /// A way to cause a finding and to end it, which can be repeated.
    struct Cause: Sendable, CustomTestStringConvertible {
        typealias Step = @Sendable (HealthSite) async throws -> Void

        let code: LiveFinding.Code
        /// The way in which it begins or ends, for a second cause of the same finding.
        var way = ""
        var severity: Finding.Severity?
        var pointer = ""
        var section: String?
        var storefronts = ["de", "sa", "us"]
        var platforms: [String] = []
        var ruleTime = Duration.seconds(30)
        /// The state in which the finding does not exist.
        let setUp: Step
        let begin: Step
        let end: Step

        var testDescription: String { ([code.rawValue] + (way.isEmpty ? [] : [way]) + storefronts + platforms).joined(separator: " ") }
    }

    private static func feed(_ sections: String..., of key: String = "today") -> String {
        #"{"format":2,"feed":"\#(key)","title":{"en":"F"},"sections":[\#(sections.joined(separator: ","))]}"#
    }

    private static func section(_ key: String, _ fields: String) -> String {
        #"{"key":"\#(key)","layout":{"list":{}},"cell":"row",\#(fields)}"#
    }

    private static let all = section("all", #""rule":{"kind":"topApp"}"#)
    private static let hero = section("hero", #""pins":[{"slot":0,"item":"topapp:app-1"}],"rule":{"kind":"topApp"}"#)
    private static let plain = feed(all)

    private static func withdraw(_ items: String) -> Cause.Step {
        { try await $0.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug IN (\(items))") }
    }

    private static let restore: Cause.Step = { try await $0.sql("UPDATE vitrine.items SET deleted_at = NULL") }

    private static func publish(_ document: String) -> Cause.Step { { try await $0.publish(document) } }

    private static func run(_ script: String) -> Cause.Step { { try await $0.sql(script) } }

    /// Cancels all publications from the given one on.
    private static func cancel(from first: Int) -> Cause.Step {
        run("SELECT vitrine.cancel_publication(id) FROM vitrine.publications WHERE id >= \(first) AND cancelled_at IS NULL")
    }

    /// Cancels the publications of the last round, and continues.
    private static func afterwards(_ next: @escaping Cause.Step) -> Cause.Step {
        { site in
            try await cancel(from: 2)(site)
            try await next(site)
        }
    }

    /// The time zone of `de` alternates between two zones.
    private static let changeZone = """
        UPDATE vitrine.storefronts
        SET time_zone = CASE time_zone WHEN 'Europe/Berlin' THEN 'Asia/Tokyo' ELSE 'Europe/Berlin' END
        WHERE key = 'de';
        """

    /// Serves `android` too, on which some of the apps run from then on.
    private static func publish(_ document: String, onAndroid items: String) -> Cause.Step {
        { site in
            try await site.sql("UPDATE vitrine.platforms SET is_served = key IN ('android', 'ios');" + addAndroid(to: items))
            try await site.publish(document)
        }
    }

    private static func addAndroid(to items: String) -> String {
        "INSERT INTO vitrine.item_platforms (item_id, platform) SELECT id, 'android' FROM vitrine.items WHERE slug IN (\(items));"
    }

    private static func removeAndroid(from item: String) -> String {
        "DELETE FROM vitrine.item_platforms WHERE platform = 'android' AND item_id = md5('\(item)')::uuid"
    }

    static let causes: [Cause] = [
        Cause(
            code: .pinGone, pointer: "/sections/0/pins/0/item", section: "hero", setUp: publish(feed(hero)), begin: withdraw("'app-1'"),
            end: restore),
        Cause(
            code: .pinGone, pointer: "/sections/0/pins/0/item", section: "hero", platforms: ["android"],
            setUp: publish(feed(hero), onAndroid: "'app-1', 'app-2'"), begin: run(removeAndroid(from: "app-1")),
            end: run(addAndroid(to: "'app-1'"))),
        Cause(
            code: .sectionKept, pointer: "/sections/0/minItems", section: "tools",
            setUp: publish(feed(section("tools", #""rule":{"category":"tools"},"minItems":5"#))),
            begin: run("UPDATE vitrine.item_categories SET category = 'games'"),
            end: run("UPDATE vitrine.item_categories SET category = 'tools'")),
        Cause(
            code: .sectionMissing, pointer: "/sections/0/minItems", section: "many", platforms: ["ios"],
            setUp: publish(
                feed(section("many", #""rule":{"kind":"topApp"},"minItems":9,"target":{"platforms":["visionos","ios"]}"#), all)),
            begin: withdraw("'app-1', 'app-2'"), end: restore),
        Cause(
            code: .sectionMissing, severity: .warning, pointer: "/sections/0/minItems", section: "few", platforms: ["android"],
            setUp: publish(feed(section("few", #""rule":{"kind":"topApp"},"minItems":3"#)), onAndroid: "'app-1', 'app-2', 'app-3'"),
            begin: run(removeAndroid(from: "app-2")), end: run(addAndroid(to: "'app-2'"))),
        Cause(
            code: .sectionMissing, severity: .warning, pointer: "/sections/0/minItems", section: "few", storefronts: ["us"],
            platforms: ["android"],
            setUp: publish(feed(section("few", #""rule":{"kind":"topApp"},"minItems":3"#)), onAndroid: "'app-1', 'app-2', 'app-3'"),
            begin: run(
                """
                BEGIN;
                UPDATE vitrine.items SET is_everywhere = false WHERE slug = 'app-2';
                INSERT INTO vitrine.item_availability (item_id, storefront, during)
                SELECT md5('app-2')::uuid, storefront, '{(,)}' FROM unnest('{de,sa}'::text[]) AS storefront;
                COMMIT
                """),
            end: run(
                """
                BEGIN;
                DELETE FROM vitrine.item_availability;
                UPDATE vitrine.items SET is_everywhere = true WHERE slug = 'app-2';
                COMMIT
                """)),
        Cause(
            code: .ruleTooSlow, pointer: "/sections/0/rule", section: "chart", storefronts: ["us"], ruleTime: .milliseconds(300),
            setUp: publish(plain),
            begin: publish(
                feed(section("chart", #""rule":{"kind":"topApp"},"sort":{"chart":"top"},"target":{"storefronts":["us"]}"#), all)),
            end: publish(plain)),
        Cause(code: .feedEmpty, setUp: publish(plain), begin: run("UPDATE vitrine.items SET deleted_at = now()"), end: restore),
        Cause(
            code: .deadAction, pointer: "/sections/0/pins/0/card/action/feed", section: "cards", storefronts: ["us"],
            setUp: { site in
                try await site.publish(feed(all, of: "gifts"), of: "gifts")
                try await site.publish(
                    feed(
                        section(
                            "cards",
                            #""pins":[{"slot":0,"card":{"key":"c","title":{"en":"C"},"action":{"feed":"gifts"}},"target":{"storefronts":["us"]}}],"rule":{"kind":"topApp"}"#
                        )))
            },
            begin: run("UPDATE vitrine.feeds SET archived_at = now() WHERE key = 'gifts'"),
            end: run("UPDATE vitrine.feeds SET archived_at = NULL WHERE key = 'gifts'")),
        Cause(
            code: .noBase, storefronts: ["sa", "us"], setUp: { try await $0.publish(plain, as: "'base', %, in_storefronts => '{de}'") },
            begin: { try await $0.publish(plain, as: "'takeover', %, in_storefronts => '{sa,us}'") }, end: cancel(from: 2)),
        Cause(
            code: .takeoverEnds, setUp: publish(plain),
            begin: {
                try await $0.publish(
                    plain, as: "'takeover', %, NULL, vitrine.instant_text(clock_timestamp() + interval '24 hours 100 milliseconds')")
            }, end: cancel(from: 2)),
        Cause(
            code: .experimentNotRunning, pointer: "/sections/1/target/experiment/weekend", section: "pairs",
            setUp: { site in
                try await site.sql(
                    """
                    INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
                    VALUES ('weekend', 'weekend', '{"control": [[0, 50]], "pairs": [[50, 100]]}', 'control')
                    """)
                try await site.publish(plain)
            },
            begin: publish(
                feed(all, section("pairs", #""rule":{"kind":"topApp"},"target":{"experiment":{"weekend":["pairs"]}}"#))),
            end: publish(plain)),
        Cause(
            code: .spanMoved, storefronts: ["de"], setUp: publish(plain),
            begin: { site in
                try await site.publish(plain, as: "'takeover', %, '2099-02-08T18:00', '2099-02-10T18:00'")
                try await site.sql(changeZone)
            }, end: cancel(from: 2)),
        Cause(code: .spanNotMoved, storefronts: ["de"], setUp: publish(plain), begin: moveBetweenOthers, end: cancel(from: 2)),
        Cause(
            code: .unreadable, setUp: publish(plain),
            begin: {
                try await $0.publish(#"{"format":2,"feed":"today","title":{"en":"T"},"hologram":true}"#, line: "newer", as: "'takeover', %")
            },
            end: cancel(from: 2)),
    ]

    /// Changes the time zone of `de`, where a takeover has others immediately before and after it.
    private static let moveBetweenOthers: Cause.Step = { site in
        try await site.publish(plain, as: "'takeover', %, '2099-02-08T18:00', '2099-02-10T18:00'")
        try await site.sql(
            """
            WITH newest AS MATERIALIZED (
                SELECT lower(during) AS start, upper(during) AS finish FROM vitrine.publication_spans
                WHERE storefront = 'de' AND lower(during) > now() ORDER BY publication DESC LIMIT 1)
            SELECT
                vitrine.publish('today', 'takeover', 1, vitrine.instant_text(start - interval '1 day'), vitrine.instant_text(start), '{de}'),
                vitrine.publish('today', 'takeover', 1, vitrine.instant_text(finish), vitrine.instant_text(finish + interval '1 day'), '{de}')
            FROM newest;
            \(changeZone)
            """)
    }

    private static func opening(_ action: String) -> String {
        feed(
            section("cards", #""pins":[{"slot":0,"card":{"key":"c","title":{"en":"C"},"action":\#(action)}}],"rule":{"kind":"topApp"}"#))
    }

    private static let giftsWithList: Cause.Step = {
        let listed = section("listed", #""rule":{"kind":"topApp"},"title":{"en":"A"},"continues":true"#)
        try await $0.publish(feed(listed, of: "gifts"), of: "gifts")
    }

    /// Other ways in which some of the findings begin or end: by the clock, by a publication, and by other kinds of changes.
    static let otherCauses: [Cause] = [
        Cause(
            code: .deadAction, way: "to an item", pointer: "/sections/0/pins/0/card/action/item", section: "cards",
            setUp: publish(opening(#"{"item":"topapp:app-2"}"#)), begin: withdraw("'app-2'"), end: restore),
        Cause(
            code: .deadAction, way: "to a list", pointer: "/sections/0/pins/0/card/action/list", section: "cards",
            setUp: { site in
                try await giftsWithList(site)
                try await site.publish(opening(#"{"list":"gifts/listed"}"#))
            }, begin: { try await $0.publish(feed(all, of: "gifts"), of: "gifts") }, end: giftsWithList),
        Cause(
            code: .noBase, way: "until a base is published", storefronts: ["sa", "us"],
            setUp: { try await $0.publish(plain, as: "'base', %, in_storefronts => '{de}'") },
            begin: afterwards { try await $0.publish(plain, as: "'takeover', %, in_storefronts => '{sa,us}'") },
            end: { try await $0.publish(plain, as: "'base', %, in_storefronts => '{sa,us}'") }),
        Cause(
            code: .takeoverEnds, way: "until it ends", setUp: publish(plain),
            begin: afterwards {
                try await $0.publish(plain, as: "'takeover', %, NULL, vitrine.instant_text(\($0.now) + interval '12 hours')")
            }, end: { $0.advance(by: .seconds(13 * 3_600)) }),
        Cause(
            code: .spanMoved, way: "until it ends", storefronts: ["de"], setUp: publish(plain),
            begin: afterwards { site in
                func day(_ number: Int) -> String {
                    "to_char(\(site.now) AT TIME ZONE 'UTC' + interval '\(number) days', 'YYYY-MM-DD\"T\"HH24:MI')"
                }
                try await site.publish(plain, as: "'takeover', %, \(day(2)), \(day(3))")
                try await site.sql(changeZone)
            }, end: { $0.advance(by: .seconds(5 * 86_400)) }),
        Cause(
            code: .spanNotMoved, way: "until it fits again", storefronts: ["de"], setUp: publish(plain),
            begin: afterwards(moveBetweenOthers), end: run(changeZone)),
        Cause(
            code: .unreadable, way: "until another revision is published", setUp: publish(plain),
            begin: { try await $0.publish(#"{"format":2,"feed":"today","title":{"en":"T"},"hologram":true}"#, line: "newer") },
            end: publish(plain)),
    ]

    @Test("Each code has a cause")
    func complete() { #expect(Set(Self.causes.map { LiveFinding.Kind($0.code, $0.severity) }) == Set(LiveFinding.Kind.all)) }

    /// The number of rounds on an idle machine, each of which must take at most a second.
    private static let rounds = TestVariable.number("FINDING_ROUNDS").map { Int(clamping: $0) }

    /// Returns the limit of the fastest round on a machine that can be busy with other tests, on which a report took this time. It is
    /// two seconds at most, so that a steady delay of two seconds fails on every machine.
    private static func limit(_ report: Duration) -> Duration { .seconds(1) + min(.seconds(1), report * 10) }

    @Test(
        "A finding begins and ends within a second of the commit, and the report, the status and the metrics agree",
        arguments: causes + otherCauses)
    func lifetime(cause: Cause) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await HealthSite.run(ruleTime: cause.ruleTime) { site in
            // With the lock, a rule that needs a chart takes too long.
            let other = try await PostgresConnection.connect(configuration, on: site.admin.pool.loop, until: .soon)
            defer { other.close() }
            if cause.code == .ruleTooSlow {
                try await other.runScript("lock", "BEGIN; LOCK vitrine.chart_entries IN ACCESS EXCLUSIVE MODE", until: .soon)
            }
            try await cause.setUp(site)
            let code = cause.code.rawValue
            var (begins, ends): ([Duration], [Duration]) = ([], [])
            var fastestReport = Duration.seconds(60)
            for _ in 0..<(Self.rounds ?? 5) {
                try await site.settle()
                let start = ContinuousClock.now
                #expect(try await site.report().findings(code).isEmpty)
                fastestReport = min(fastestReport, start.duration(to: .now))
                try await cause.begin(site)
                let (present, beginning) = try await site.wait { $0.findings(code).count == 1 }
                let finding = try #require(present.findings(code).first)
                #expect(
                    finding["feed"]?.string == "today" && finding["severity"]?.string == (cause.severity ?? cause.code.severity).rawValue)
                #expect(finding["storefronts"]?.elements.compactMap { $0.string } == cause.storefronts)
                #expect(finding["platforms"]?.elements.compactMap { $0.string } == cause.platforms)
                #expect(finding["pointer"]?.string == cause.pointer && finding["section"]?.string == cause.section)
                #expect(finding["message"]?.string?.isEmpty == false && finding["hint"]?.string?.isEmpty == false)
                let since = try #require(finding["since"]?.string)

                // Other changes do not affect it.
                try await site.sql("UPDATE vitrine.items SET rating_count = rating_count + 1 WHERE slug IN ('app-1', 'app-9')")
                try await site.settle()
                let (later, _) = try await site.wait { !$0.findings(code).isEmpty }
                #expect(later.findings(code).map { $0["since"]?.string } == [since])

                try await cause.end(site)
                let (_, ending) = try await site.wait { $0.findings(code).isEmpty }
                begins.append(beginning)
                ends.append(ending)
                // On a busy machine, one of several rounds is fast enough.
                if Self.rounds == nil, let begin = begins.min(), let end = ends.min(), max(begin, end) <= .seconds(1) { break }
            }
            let times = Self.rounds == nil ? [begins.min(), ends.min()] : [begins.max(), ends.max()]
            let limit = Self.rounds == nil ? Self.limit(fastestReport) : .seconds(1)
            #expect(times.allSatisfy { $0.map { $0 <= limit } ?? false }, "begins after \(begins), ends after \(ends), limit \(limit)")
        }
    }

    @Test("An item that is withdrawn after its pin was published is reported, although no curator publishes")
    func withdrawn() async throws {
        try await HealthSite.run { site in
            try await site.publish(Self.feed(Self.hero))
            try await site.settle()
            let publications = "SELECT count(*)::text FROM vitrine.publications"
            let before = try await site.admin.rows(publications)
            #expect(try await site.report().findings.isEmpty)
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-1'")
            let (report, _) = try await site.wait { $0.findings.count == 1 }
            #expect(report.findings.first?["message"]?.string?.hasPrefix("topapp:app-1 is withdrawn") == true)
            #expect(try await site.admin.rows(publications) == before)
        }
    }

    @Test("A finding that spreads to another storefront keeps its time, and a filter reports only its own storefront")
    func storefronts() async throws {
        let items = """
            BEGIN;
            UPDATE vitrine.items SET is_everywhere = false WHERE slug = 'app-1';
            INSERT INTO vitrine.item_availability (item_id, storefront, during)
            SELECT id, storefront, '{(,)}' FROM vitrine.items CROSS JOIN unnest('{de,sa,us}'::text[]) AS storefront WHERE slug = 'app-1';
            COMMIT;
            """
        try await HealthSite.run(items) { site in
            func remove(_ storefront: String) async throws -> JSONNode {
                try await site.sql("DELETE FROM vitrine.item_availability WHERE storefront = '\(storefront)'")
                let (report, _) = try await site.wait { report in
                    report.findings("PIN_GONE").contains { $0["storefronts"]?.elements.contains { $0.string == storefront } ?? false }
                }
                #expect(report.findings.count == 1)
                return try #require(report.findings.first)
            }
            try await site.publish(Self.feed(Self.hero))
            try await site.settle()
            let first = try await remove("us")
            let second = try await remove("de")
            #expect(first["storefronts"]?.elements.map { $0.string } == ["us"])
            #expect(second["storefronts"]?.elements.map { $0.string } == ["de", "us"] && second["since"]?.string == first["since"]?.string)
            try await site.sql(
                "INSERT INTO vitrine.item_availability (item_id, storefront, during) SELECT md5('app-1')::uuid, 'us', '{(,)}'")
            let (third, _) = try await site.wait { $0.findings.first?["storefronts"]?.count == 1 }
            #expect(third.findings.first?["storefronts"]?.elements.map { $0.string } == ["de"])
            #expect(third.findings.first?["since"]?.string == first["since"]?.string)
            for (query, count) in [
                ("?storefront=de", 1), ("?storefront=us", 0), ("?feed=today&severity=warning", 1), ("?severity=error", 0),
            ] { #expect(try await site.report(query).findings.count == count, "\(query)") }
        }
    }

    private static func card(_ slot: Int, _ action: String) -> String {
        #"{"slot":\#(slot),"card":{"key":"c\#(slot)","title":{"en":"C"},"action":\#(action)}}"#
    }

    @Test("A finding of another revision is the same finding, and keeps its time")
    func revisions() async throws {
        try await HealthSite.run { site in
            try await site.publish(Self.feed(Self.hero))
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-1'")
            let (first, _) = try await site.wait { $0.findings("PIN_GONE").count == 1 }
            let since = try #require(first.findings.first?["since"]?.string)
            try await site.publish(Self.feed(Self.all, Self.hero))
            let (second, _) = try await site.wait { $0.findings("PIN_GONE").first?["revision"]?.integer == 2 }
            #expect(second.findings.count == 1 && second.findings.first?["since"]?.string == since)
            #expect(second.findings.first?["pointer"]?.string == "/sections/1/pins/0/item")
        }
    }

    @Test("An action is dead only in the storefronts that do not show its item, feed or list, and not on an archived feed")
    func deadActions() async throws {
        let items = """
            BEGIN;
            UPDATE vitrine.items SET is_everywhere = false WHERE slug = 'app-1';
            INSERT INTO vitrine.item_availability (item_id, storefront, during) SELECT id, 'us', '{(,)}' FROM vitrine.items WHERE slug = 'app-1';
            COMMIT;
            """
        try await HealthSite.run(items) { site in
            let listed = Self.section("listed", #""rule":{"kind":"topApp"},"title":{"en":"A"},"continues":true"#)
            try await site.publish(
                Self.feed(listed, Self.all, of: "gifts"), of: "gifts", as: "'base', %, in_storefronts => '{de,us}'")
            let cards = [
                Self.card(0, #"{"item":"topapp:app-1"}"#), Self.card(1, #"{"feed":"gifts"}"#), Self.card(2, #"{"list":"gifts/listed"}"#),
                Self.card(3, #"{"list":"gifts/all"}"#),
            ]
            try await site.publish(
                Self.feed(Self.section("cards", #""pins":[\#(cards.joined(separator: ","))],"rule":{"kind":"topApp"}"#)))
            let (report, _) = try await site.wait { !$0.findings("DEAD_ACTION").isEmpty }
            // The section `all` has no list.
            #expect(
                report.findings("DEAD_ACTION").map { $0["storefronts"]?.elements.compactMap { $0.string } ?? [] } == [
                    ["de", "sa"], ["sa"], ["sa"], ["de", "sa", "us"],
                ])
            #expect(report.findings.count == 4)
            try await site.sql("UPDATE vitrine.feeds SET archived_at = now() WHERE key = 'today'")
            _ = try await site.wait { $0.findings.isEmpty }
        }
    }

    @Test("The report needs a token, existing storefronts and feeds, and known severities and parameters")
    func refusals() async throws {
        try await AdminSite.run { site in
            let (path, anna) = ("/admin/v1/health-report", try await site.token(.read, "anna"))
            #expect(try await site.expect(.ok, "GET \(path)", anna).json["findings"]?.count == 0)
            #expect(try await site.expect(.unauthorized, "GET \(path)", nil).code == "missingToken")
            #expect(try await site.expect(.notFound, "GET \(path)?storefront=xx", anna).code == "unknownStorefront")
            #expect(try await site.expect(.notFound, "GET \(path)?feed=xx", anna).code == "unknownFeed")
            for query in ["feed=X%20X", "severity=info", "code=PIN_GONE"] {
                #expect(try await site.expect(.badRequest, "GET \(path)?\(query)", anna).code == "invalidParameter", "\(query)")
            }
        }
    }
}
