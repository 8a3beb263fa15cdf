import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The plan of a publication", .databaseForEachTest)
struct PublicationPlanTests {
    @Test("A publication plan has one comparison for storefronts with equal changes")
    func publicationPlan() async throws {
        try await AdminSite.withDraft { site, anna in
            func plan(_ body: String, _ status: Status = .ok) async throws -> Response {
                try await site.expect(status, "POST \(AdminSite.feed):plan", anna, body: body)
            }
            let new = try await plan(#"{"publish": {}, "compare": ["us", "de"]}"#)
            #expect(new.tag == (try await site.expect(.ok, "GET \(AdminSite.feed)/publications", anna)).tag)
            let first = try new.json
            let start = try #require(first["starts"]?.first)
            #expect(start["fromRevision"] == nil && start["diffLines"] == nil && start["toRevision"]?.integer == 1)
            #expect(first["starts"]?.count == 1 && start["storefronts"]?.elements.compactMap(\.string) == ["de", "sa", "us"])
            #expect(first["layer"]?.string == "base" && start["from"] == nil && first["from"] == nil)
            #expect(
                first["comparisons"]?.elements.flatMap { $0["storefronts"]?.elements.compactMap(\.string) ?? [] }.sorted() == ["de", "us"])
            #expect(first["comparisons"]?.elements.allSatisfy { $0["diffLines"]?.count ?? 0 > 0 } == true)
            _ = try await plan(#"{"rollback": {}}"#, .conflict)

            let done = try await site.publish(anna, #"{"revision":1}"#, .created)
            #expect(try done.json["publication"]?["revision"]?.integer == 1)
            let same = try await plan(#"{"publish": {"revision": 1, "until": "2099-01-01T00:00:00Z"}}"#).json
            let unchanged = same["starts"]?.first
            #expect(unchanged?["fromRevision"]?.integer == 1 && unchanged?["diffLines"]?.count == 0)
            #expect(same["starts"]?.count == 1 && same["layer"]?.string == "takeover")
            #expect(same["comparisons"]?.count == 1 && same["comparisons"]?.first?["diffLines"]?.count == 0 && same["skipped"] == nil)
            let back = try await plan(#"{"rollback": {"revision": 1}, "compare": ["us"]}"#)
            #expect(back.tag == (try await site.expect(.ok, "GET \(AdminSite.feed)", anna)).tag)
            let later = #"{"revision":1,"layer":"takeover","from":"2099-03-06T18:00:00Z","until":"2099-03-06T23:00:00Z"}"#
            _ = try await site.publish(anna, later, .created)
            let night = #"{"publish": {"layer": "takeover", "from": "2099-03-06T20:00:00Z"}, "compare": ["us"]}"#
            let conflict = try #require(try await plan(night).json["conflictingPublications"]?.first)
            #expect(conflict["publication"]?["from"]?.string?.hasPrefix("2099-03-06T18") == true)
            #expect(conflict["storefronts"]?.elements.compactMap(\.string) == ["de", "sa", "us"])
            let early = #"{"revision": 1, "layer": "takeover", "from": "2099-03-06T12:00:00Z", "until": "2099-03-06T13:00:00Z"}"#
            _ = try await site.publish(anna, early.replacing("}", with: #", "storefronts": ["us"]}"#), .created)
            let day = #"{"publish": {"layer": "takeover", "from": "2099-03-06T10:00:00Z"}, "compare": ["us"]}"#
            let conflicts = try await plan(day).json["conflictingPublications"]?.elements
            let places = conflicts?.map { $0["storefronts"]?.elements.compactMap(\.string) ?? [] }
            #expect(places?.sorted { $0.count < $1.count } == [["us"], ["de", "sa", "us"]])
            let hidden = try await plan(#"{"publish": {"from": "2099-03-06T20:00:00Z"}, "compare": ["us"]}"#).json
            #expect(hidden["starts"]?.first?["activeTakeover"]?["layer"]?.string == "takeover" && hidden["conflictingPublications"] == nil)

            for (body, code) in [
                (#"{"publish": {"from": "2020-01-01T00:00:00Z"}}"#, "startInPast"),
                (#"{"publish": {"until": "2020-01-01T00:00:00Z"}}"#, "invalidEnd"),
                (#"{"publish": {"from": "2099-01-02T00:00:00Z", "until": "2099-01-02T00:00:00Z"}}"#, "invalidEnd"),
            ] { #expect(try await plan(body, .unprocessableContent).code == code, "\(body)") }

            for (body, pointer) in [
                (#"{}"#, ""), (#"{"publish": {}, "rollback": {}}"#, ""), (#"{"publish": {"revision": 0}}"#, "/publish/revision"),
                (#"{"publish": {"layer": "base", "until": "2099-01-01T00:00:00Z"}}"#, "/publish/until"),
                (#"{"publish": {}, "compare": ["us", "us"]}"#, "/compare"),
                (#"{"publish": {}, "storefronts": ["us"]}"#, "/storefronts"),
                (#"{"publish": {"storefronts": []}}"#, "/publish/storefronts"), (#"{"rollback": {"line": "main"}}"#, "/rollback/line"),
            ] {
                let response = try await plan(body, .unprocessableContent)
                #expect(try response.json["errors"]?.first?["pointer"]?.string ?? "" == pointer, "\(body): \(response.text)")
            }
            for body in [
                #"{"publish": {"line": "elsewhere"}}"#, #"{"publish": {"revision": 9}}"#, #"{"rollback": {"revision": 9}}"#,
                #"{"publish": {}, "compare": ["zz"]}"#,
            ] { _ = try await plan(body, .notFound) }
            for body in [#"{"publish": {"storefronts": ["us", "zz"]}}"#, #"{"rollback": {"storefronts": ["zz"]}}"#] {
                #expect(try await plan(body, .unprocessableContent).code == "unknownStorefronts", "\(body)")
            }
        }
    }

    @Test("A plan warns of storefronts in which the publication starts now, and of those in which its time is over")
    func findingsAboutTimes() async throws {
        try await AdminSite.withDraft { site, anna in
            // At this time of day, clocks in New York are earlier, and those in Berlin and Riyadh are later.
            let now = try await site.rows("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI')")[0]
            let later = try await site.rows("SELECT to_char(now() AT TIME ZONE 'UTC' + interval '3 days', 'YYYY-MM-DD\"T\"HH24:MI')")[0]
            func plan(_ members: String) async throws -> JSONNode {
                let body = #"{"publish": {"layer": "takeover", \#(members)}, "compare": ["us"]}"#
                return try await site.expect(.ok, "POST \(AdminSite.feed):plan", anna, body: body).json
            }
            func findings(_ plan: JSONNode) -> [String] {
                plan["findings"]?.elements.filter { ["STARTS_NOW", "NO_SPAN"].contains($0["code"]?.string) }
                    .map { "\($0["code"]?.string ?? "") \($0["message"]?.string ?? "")" } ?? []
            }
            func starts(_ plan: JSONNode) -> [String] {
                plan["starts"]?.elements.flatMap { start in
                    (start["storefronts"]?.elements.compactMap(\.string) ?? []).map { "\($0) \(start["from"] == nil ? "now" : "later")" }
                }.sorted() ?? []
            }
            let started = try await plan(#""from": "\#(now)", "until": "\#(later)""#)
            #expect(starts(started) == ["de now", "sa now", "us later"])
            let found = findings(started)
            #expect(
                found.count == 1 && found[0].hasPrefix("STARTS_NOW clocks in de") && found[0].contains("sa are past \(now)"), "\(found)")

            let over = try await plan(#""from": "2020-01-01T00:00", "until": "\#(now)""#)
            #expect(starts(over) == ["us now"])
            let codes = findings(over).map { $0.split(separator: " ")[0] }
            #expect(codes == ["STARTS_NOW", "NO_SPAN"], "\(findings(over))")
            let none = "NO_SPAN \(now) has passed or is not after the start in de"
            #expect(findings(over).last?.hasPrefix(none) == true, "\(findings(over))")
            // Where the time is over, nothing is published, and everywhere else it is.
            let done = try await site.publish(
                anna, #"{"revision":1,"layer":"takeover","from":"2020-01-01T00:00","until":"\#(now)"}"#)
            #expect(try done.json["publication"]?["spans"]?.elements.map { $0["storefront"]?.string } == ["us"], "\(done.text)")
        }
    }

    @Test("A publication plan shows a changed layout once, on a screen")
    func changedLayout() async throws {
        try await AdminSite.withDraft { site, anna in
            _ = try await site.publish(anna, #"{"revision":1}"#, .created)
            let draft = try await site.expect(.ok, "GET \(AdminSite.feed)/draft", anna)
            let grid = AdminSite.today.replacing(#"{"list":{}}"#, with: #"{"grid":{"columns":2}}"#)
            #expect(grid != AdminSite.today)
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: grid)
            let plan = try await site.expect(
                .ok, "POST \(AdminSite.feed):plan", anna, body: #"{"publish": {}, "compare": ["us", "de"]}"#
            ).json
            let layout = try #require(plan["layouts"]?.first)
            #expect(plan["layouts"]?.count == 1 && layout["section"]?.string == "today/apps", "\(layout["section"]?.string ?? "none")")
            for side in ["before", "after"] { #expect(layout[side]?["itemCount"]?.integer == 5 && layout[side]?["layout"]?.count ?? 0 > 0) }
        }
    }

    @Test("The time limits of a plan derive from the request timeout")
    func limitsOfTime() async throws {
        try await AdminSite.run { site in
            let service = AdminService(
                site.service.catalog, screens: site.service.screens, access: site.service.access, timeout: .seconds(60))
            #expect(
                service.timeForRules == .seconds(15) && service.timeForPlans == .seconds(12) && service.timeForComparisons == .seconds(30))
        }
    }

    @Test("A publication plan lists the storefronts that it had no time to compare")
    func notCompared() async throws {
        try await AdminSite.run(timeForPlans: .zero, comparedTogether: 2) { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, "PUT \(AdminSite.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            func keys(_ node: JSONNode?) -> [String] { node?.elements.compactMap(\.string) ?? [] }
            let plan = try await site.expect(.ok, "POST \(AdminSite.feed):plan", anna, body: #"{"publish": {}}"#).json
            let compared = plan["comparisons"]?.elements.flatMap { keys($0["storefronts"]) } ?? []
            let all = try await site.rows("SELECT key FROM vitrine.storefronts")
            #expect(compared.count == 2 && all.count > 2)
            #expect(Set(compared + keys(plan["skipped"])) == Set(all) && keys(plan["skipped"]).count == all.count - 2)
        }
    }

    /// A catalog in which each rule that sorts by a chart takes 200 ms.
    private static let sluggish = """
        ALTER TABLE vitrine.chart_entries RENAME TO quick_entries;
        CREATE VIEW vitrine.chart_entries AS SELECT * FROM vitrine.quick_entries WHERE (SELECT pg_sleep(0.2) IS NOT NULL);
        """

    private static let charted: String = {
        // Sections with the same rule would share a query.
        let sections = (1...6).map { index in
            let rule = #"{"all": [{"kind": "topApp"}, {"rating": {"atLeast": 0.\#(index)}}]}"#
            return #"{"key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "rule": \#(rule), "sort": {"chart": "top"}}"#
        }
        return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    @Test("A plan whose rules are slow is sent before the request times out, and lists the storefronts that it did not compare")
    func slowPlan() async throws {
        try await AdminSite.run(timeForPlans: .milliseconds(500), comparedTogether: 1, timeout: .seconds(12), ruleTime: .seconds(1)) {
            site in
            let anna = try await site.token(.publish, "anna")
            let tag = try await site.expect(.created, "PUT \(AdminSite.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today).tag
            _ = try await site.publish(anna)
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: \(tag)"], body: Self.charted)
            try await site.pool.withConnection(until: .soon) { try await $0.runScript("slow", Self.sluggish, until: .soon) }
            let plan = try await site.expect(.ok, "POST \(AdminSite.feed):plan", anna, body: #"{"publish": {}}"#).json
            #expect(plan["skipped"]?.count ?? 0 > 0)
            #expect(plan["findings"]?.elements.contains { $0["code"]?.string == "RULE_TOO_SLOW" } == true)
        }
    }
}
