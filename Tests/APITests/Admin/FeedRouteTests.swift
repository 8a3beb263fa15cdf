import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of feeds", .databaseForEachTest)
struct FeedRouteTests {
    private static let feed = "/admin/v1/feeds/today"
    private static let other = AdminSite.today.replacing("Today", with: "Tonight")

    /// Runs a body with a feed that has a draft, and a token with all scopes.
    private func run(_ body: @escaping @Sendable (AdminSite, AccessToken) async throws -> Void) async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            try await body(site, anna)
        }
    }

    private func publish(
        _ site: AdminSite, _ token: AccessToken, _ order: String = #"{"revision":1}"#, _ status: Status = .created
    ) async throws -> Response {
        let tag = try await site.expect(.ok, "GET \(Self.feed)/publications", token).tag
        return try await site.expect(status, "POST \(Self.feed)/publications", token, ["If-Match: \(tag)"], body: order)
    }

    @Test("A draft is saved on its current version, with the findings of a review, and no concurrent change is lost")
    func drafts() async throws {
        try await run { site, anna in
            let draft = try await site.expect(.ok, "GET \(Self.feed)/draft", anna)
            let hash = try #require(try draft.json["hash"]?.string)
            #expect(draft.tag == "\"\(hash)\"")
            #expect(try draft.json["document"]?["title"]?["en"]?.string == "Today")
            let again = try await site.expect(.preconditionFailed, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: Self.other)
            #expect(try again.json["current"]?["hash"]?.string == hash && again.tag == draft.tag)

            let broken = Self.other.replacing("app-9", with: "app-99")
            let saved = try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: broken)
            #expect(
                try saved.json["revision"]?.integer == 2 && saved.json["findings"]?.elements.map { $0["code"]?.string } == ["UNKNOWN_ITEM"])
            #expect(saved[.location] == ["\(Self.feed)/revisions/2"])
            let stale = try await site.expect(
                .preconditionFailed, "PUT \(Self.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: Self.other)
            #expect(try stale.json["current"]?["revision"]?.integer == 2 && stale.tag == saved.tag)

            // Saving the same document again is not a change.
            let same = try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: \(saved.tag)"], body: broken)
            #expect(same.tag == saved.tag && same[.location].isEmpty)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }

    @Test("Lines are separate, and revisions are listed in pages")
    func lines() async throws {
        try await run { site, anna in
            try await site.expect(.created, "PUT \(Self.feed)/draft?line=night", anna, ["If-None-Match: *"], body: Self.other)
            #expect(try await site.expect(.notFound, "GET \(Self.feed)/draft?line=day", anna).code == "unknownDraft")
            #expect(try await site.expect(.notFound, "GET /admin/v1/feeds/nothing/draft", anna).code == "unknownFeed")
            let list = try await site.expect(.ok, "GET \(Self.feed)/revisions?limit=1", anna)
            #expect(try list.json["revisions"]?.elements.map { $0["line"]?.string } == ["night"])
            let next = try #require(try list.json["next"]?.string)
            let rest = try await site.expect(.ok, "GET \(next)", anna)
            #expect(try rest.json["revisions"]?.elements.map { $0["revision"]?.integer } == [1] && rest.json["next"] == nil)
            try await site.expect(.badRequest, "GET \(next)&line=night", anna)
            try await site.expect(.badRequest, "GET \(Self.feed)/revisions?cursor=x", anna)
            let first = try await site.expect(.ok, "GET \(Self.feed)/revisions/1", anna)
            #expect(try first.json["document"]?["title"]?["en"]?.string == "Today")
            for path in ["revisions/9", "revisions/x", "revisions/99999999999999999999"] {
                try await site.expect(.notFound, "GET \(Self.feed)/\(path)", anna)
            }
            for path in [
                "/admin/v1/feeds/nothing", "/admin/v1/feeds/nothing/revisions", "/admin/v1/feeds/nothing/publications",
                "/admin/v1/feeds/No",
            ] {
                try await site.expect(.notFound, "GET \(path)", anna)
            }
        }
    }

    @Test("An invalid document is rejected with the pointers of its issues")
    func documents() async throws {
        try await run { site, anna in
            let bodies = [
                ("", ""), ("[", "/0"), (#"{"feed":"today"}"#, ""), (AdminSite.today.replacing("\"today\"", with: "\"games\""), "/feed"),
                (AdminSite.today.replacing("\"size\":5", with: "\"size\":0"), "/sections/0/size"),
            ]
            for (body, pointer) in bodies {
                let response = try await site.expect(.unprocessableContent, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: body)
                #expect(try response.json["errors"]?.elements.contains { $0["pointer"]?.string == pointer } == true, "\(response.text)")
                try await site.expect(.unprocessableContent, "POST \(Self.feed):validate", anna, body: body)
            }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
        }
    }

    @Test("A document is validated without being saved")
    func validation() async throws {
        try await run { site, anna in
            let fine = try await site.expect(.ok, "POST \(Self.feed):validate", anna, body: Self.other)
            #expect(try fine.json["findings"]?.count == 0)
            let broken = try await site.expect(.ok, "POST \(Self.feed):validate", anna, body: Self.other.replacing("app-9", with: "app-99"))
            #expect(try broken.json["findings"]?.first?["pointer"]?.string == "/sections/0/pins/0/item")
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
        }
    }

    @Test("The state at another time has no ETag for changes")
    func times() async throws {
        try await run { site, anna in
            _ = try await publish(site, anna, #"{"revision":1,"from":"2999-01-01T00:00:00Z"}"#)
            for (time, live) in [("", nil), ("?at=2998-12-31T23:59:59Z", nil), ("?at=2999-01-01T00:00:00Z", 1)] {
                let (state, list) = (
                    try await site.expect(.ok, "GET \(Self.feed)\(time)", anna),
                    try await site.expect(.ok, "GET /admin/v1/feeds\(time)", anna)
                )
                #expect(try state.json["live"]?["revision"]?.integer == live)
                #expect(try state.json["publications"]?.count == 1)
                #expect(try list.json["feeds"]?.first?["live"]?["revision"]?.integer == live)
                #expect(state[.etag].isEmpty == !time.isEmpty && list[.etag].isEmpty == !time.isEmpty)
            }
            try await site.expect(.badRequest, "GET \(Self.feed)?at=tomorrow", anna)
            try await site.expect(.badRequest, "GET /admin/v1/feeds?at=", anna)
        }
    }

    @Test("A revision is published immediately, listed in the schedule, and rolled back")
    func publications() async throws {
        try await run { site, anna in
            let first = try await publish(site, anna)
            let id = try #require(try first.json["publication"]?["id"]?.integer)
            #expect(first[.location] == ["\(Self.feed)/publications/\(id)"])
            #expect(first.tag == (try await site.expect(.ok, "GET \(first[.location][0])", anna).tag))
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: Self.other)
            _ = try await publish(site, anna, #"{"revision":2,"timeZone":"Europe/Berlin"}"#)
            let state = try await site.expect(.ok, "GET \(Self.feed)", anna)
            #expect(try state.json["live"]?["revision"]?.integer == 2 && state.json["draft"]?["revision"]?.integer == 2)
            #expect(
                try await site.expect(.ok, "GET /admin/v1/feeds", anna).json["feeds"]?.first?["live"]?["revision"]?.integer == 2)

            let visible = try await site.expect(.ok, "GET \(Self.feed)", anna)
            #expect(try visible.json["basePublication"]?["revision"]?.integer == 2 && visible.json["previousBaseRevision"]?.integer == 1)
            let back = try await site.expect(.created, "POST \(Self.feed):rollback", anna, ["If-Match: \(state.tag)"])
            #expect(try back.json["publication"]?["revision"]?.integer == 1)
            let stale = try await site.expect(.preconditionFailed, "POST \(Self.feed):rollback", anna, ["If-Match: \(state.tag)"])
            #expect(try stale.json["current"]?["live"]?["revision"]?.integer == 1)
            #expect(stale.tag == (try await site.expect(.ok, "GET \(Self.feed)", anna).tag))
            let named = try await site.expect(
                .created, "POST \(Self.feed):rollback", anna, ["If-Match: \(stale.tag)"], body: #"{"revision":2}"#)
            #expect(try named.json["publication"]?["revision"]?.integer == 2)
            let all = try await site.expect(.ok, "GET \(Self.feed)/publications?since=2000-01-01T00:00:00Z", anna)
            #expect(try all.json["publications"]?.count == 4)
            #expect(try await site.expect(.ok, "GET \(Self.feed)/publications", anna).json["publications"]?.count == 1)
        }
    }

    @Test("A takeover is scheduled with its end, rejects an overlapping one, and is canceled")
    func takeovers() async throws {
        try await run { site, anna in
            let night = #"{"revision":1,"layer":"takeover","from":"2099-03-06T18:00:00+01:00","until":"2099-03-06T23:00:00+01:00"}"#
            let planned = try await publish(site, anna, night)
            #expect(try planned.json["publication"]?["until"]?.string == "2099-03-06T22:00:00.000000Z")
            let refused = try await publish(site, anna, night, .conflict)
            #expect(
                try refused.code == "publicationOverlap"
                    && refused.json["conflictingPublication"]?["id"]?.integer == planned.json["publication"]?["id"]?.integer)
            let path = planned[.location][0]
            try await site.expect(.notFound, "DELETE \(path.replacing("today", with: "games"))", anna, ["If-Match: *"])
            try await site.expect(.noContent, "DELETE \(path)", anna, ["If-Match: \(planned.tag)"])
            try await site.expect(.notFound, "GET \(path)", anna)
            try await site.expect(.notFound, "DELETE \(path)", anna, ["If-Match: \(planned.tag)"])

            let running = try await publish(site, anna, #"{"revision":1,"layer":"takeover"}"#)
            let ended = try await site.expect(.ok, "DELETE \(running[.location][0])", anna, ["If-Match: \(running.tag)"])
            #expect(try ended.json["until"] != nil)
            let over = try await site.expect(.conflict, "DELETE \(running[.location][0])", anna, ["If-Match: \(ended.tag)"])
            #expect(try over.code == "publicationEnded")
        }
    }

    @Test(
        "An invalid publication is rejected with its code",
        arguments: [
            (#"{"revision":7}"#, 404, "unknownRevision"), (#"{"revision":1,"from":"2001-01-01T00:00:00Z"}"#, 422, "startInPast"),
            (#"{"revision":1,"timeZone":"Mars/Olympus"}"#, 422, "unknownTimeZone"), (#"{"revision":0}"#, 422, "invalidDocument"),
            (#"{"revision":1,"until":"2099-01-01T00:00:00Z"}"#, 422, "invalidDocument"), (#"{"revison":1}"#, 422, "invalidDocument"),
            (#"{"revision":1,"layer":"takeover","from":"2099-01-02T00:00:00Z","until":"2099-01-01T00:00:00Z"}"#, 422, "invalidEnd"),
            (#"{"revision":1,"from":"tomorrow"}"#, 422, "invalidDocument"), (#"{"revision":2}"#, 422, "reviewFailed"),
        ])
    func refusals(order: String, status: Int, code: String) async throws {
        try await run { site, anna in
            try await site.expect(
                .ok, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: Self.other.replacing("app-9", with: "app-99"))
            let response = try await publish(site, anna, order, Status(rawValue: status))
            #expect(try response.code == code, "\(response.text)")
            if code == "reviewFailed" { #expect(try response.json["findings"]?.first?["code"]?.string == "UNKNOWN_ITEM") }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.publications") == ["0"])
        }
    }

    @Test("An archived feed is restored once, with its schedule")
    func restore() async throws {
        try await run { site, anna in
            let tag = try await site.expect(.ok, "GET \(Self.feed)", anna).tag
            let retained = try await site.expect(.ok, "POST \(Self.feed):restore", anna, ["If-Match: \(tag)"])
            #expect(retained.tag == tag)
            let archived = try await site.expect(.ok, "POST \(Self.feed):archive", anna, ["If-Match: \(tag)"])
            try await site.expect(.preconditionFailed, "POST \(Self.feed):restore", anna, ["If-Match: \(tag)"])
            let restored = try await site.expect(.ok, "POST \(Self.feed):restore", anna, ["If-Match: \(archived.tag)"])
            #expect(try restored.json["archivedAt"] == nil && restored.tag == tag)
            #expect(
                try await site.rows("SELECT concat_ws(' ', action, before, after) FROM vitrine.audit_entries ORDER BY number").dropFirst()
                    == [
                        #"feed.archive {"archived": false} {"archived": true}"#,
                        #"feed.restore {"archived": true} {"archived": false}"#,
                    ])
            let reader = try await site.token(.curate)
            try await site.expect(.forbidden, "POST \(Self.feed):restore", reader, ["If-Match: \(tag)"])
        }
    }

    @Test("A feed is archived once")
    func archive() async throws {
        try await run { site, anna in
            let tag = try await site.expect(.ok, "GET \(Self.feed)", anna).tag
            let archived = try await site.expect(.ok, "POST \(Self.feed):archive", anna, ["If-Match: \(tag)"])
            #expect(try archived.json["archivedAt"] != nil)
            try await site.expect(.ok, "POST \(Self.feed):archive", anna, ["If-Match: \(archived.tag)"])
            let refused = try await site.expect(.conflict, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: Self.other)
            #expect(try refused.code == "feedArchived")
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries ORDER BY number") == ["draft.save", "feed.archive"])
        }
    }

    @Test("An unsaved document can be explained")
    func explainedDocuments() async throws {
        try await run { site, anna in
            let path = "\(Self.feed):explain?storefront=us"
            let response = try await site.expect(.ok, "POST \(path)", anna, body: AdminSite.today.replacing("Today", with: "Unsaved"))
            #expect(try response.json["revision"] == nil && response.json["sections"]?.first?["slots"]?.count == 5)
            try await site.expect(.ok, "POST \(path)&at=2099-01-01T00:00:00Z", anna, body: AdminSite.today)
            try await site.expect(.badRequest, "POST \(path)&revision=1", anna, body: AdminSite.today)
            try await site.expect(.notFound, "POST \(Self.feed):explain?storefront=zz", anna, body: AdminSite.today)
            try await site.expect(.unprocessableContent, "POST \(path)", anna, body: "{}")
            try await site.expect(.unprocessableContent, "POST /admin/v1/feeds/games:explain?storefront=us", anna, body: AdminSite.today)
        }
    }

    @Test("Any revision can be previewed at any time, and each slot is explained")
    func rehearsals() async throws {
        try await run { site, anna in
            let page = try await site.expect(.ok, "GET \(Self.feed):preview?storefront=us&locale=es", anna)
            #expect(
                try page.json["title"]?.string == "Hoy" && page.json["locale"]?.string == "es" && page.json["items"]?.count ?? 0 > 0
            )
            try await site.expect(.ok, "GET \(Self.feed):preview?storefront=us&at=2099-01-01T00:00:00Z&revision=1", anna)
            let response = try await site.expect(.ok, "GET \(Self.feed):explain?storefront=us", anna)
            let section = try #require(try response.json["sections"]?.first)
            #expect(section["slots"]?.elements.map { $0["reason"]?.string } == ["rule", "pin", "rule", "rule", "rule"])
            #expect(section["omitted"]?.elements.map { $0["reason"]?.string }.contains("overLimit") == true)
            for verb in ["preview", "explain"] {
                try await site.expect(.badRequest, "GET \(Self.feed):\(verb)", anna)
                try await site.expect(.badRequest, "GET \(Self.feed):\(verb)?storefront=us&at=soon", anna)
                try await site.expect(.notFound, "GET \(Self.feed):\(verb)?storefront=zz", anna)
                try await site.expect(.notFound, "GET \(Self.feed):\(verb)?storefront=us&revision=9", anna)
                try await site.expect(.notFound, "GET \(Self.feed):\(verb)?storefront=us&line=night", anna)
            }
        }
    }

    @Test("A publication plan has one comparison for storefronts with equal changes")
    func publicationPlan() async throws {
        try await run { site, anna in
            func plan(_ body: String, _ status: Status = .ok) async throws -> Response {
                try await site.expect(status, "POST \(Self.feed):plan", anna, body: body)
            }
            let new = try await plan(#"{"publish": {}, "storefronts": ["us", "de"]}"#)
            #expect(new.tag == (try await site.expect(.ok, "GET \(Self.feed)/publications", anna)).tag)
            let first = try new.json
            #expect(first["fromRevision"] == nil && first["diffLines"] == nil && first["toRevision"]?.integer == 1)
            #expect(first["layer"]?.string == "base" && first["from"] == nil)
            #expect(
                first["comparisons"]?.elements.flatMap { $0["storefronts"]?.elements.compactMap(\.string) ?? [] }.sorted() == ["de", "us"])
            #expect(first["comparisons"]?.elements.allSatisfy { $0["diffLines"]?.count ?? 0 > 0 } == true)
            _ = try await plan(#"{"rollback": {}}"#, .conflict)

            let done = try await publish(site, anna, #"{"revision":1}"#, .created)
            #expect(try done.json["publication"]?["revision"]?.integer == 1)
            let same = try await plan(#"{"publish": {"revision": 1, "until": "2099-01-01T00:00:00Z"}}"#).json
            #expect(same["fromRevision"]?.integer == 1 && same["diffLines"]?.count == 0 && same["layer"]?.string == "takeover")
            #expect(same["comparisons"]?.count == 1 && same["comparisons"]?.first?["diffLines"]?.count == 0 && same["skipped"] == nil)
            let back = try await plan(#"{"rollback": {"revision": 1}, "storefronts": ["us"]}"#)
            #expect(back.tag == (try await site.expect(.ok, "GET \(Self.feed)", anna)).tag)
            let later = #"{"revision":1,"layer":"takeover","from":"2099-03-06T18:00:00Z","until":"2099-03-06T23:00:00Z"}"#
            _ = try await publish(site, anna, later, .created)
            let night = #"{"publish": {"layer": "takeover", "from": "2099-03-06T20:00:00Z"}, "storefronts": ["us"]}"#
            #expect(try await plan(night).json["conflictingPublications"]?.first?["from"]?.string?.hasPrefix("2099-03-06T18") == true)
            let hidden = try await plan(#"{"publish": {"from": "2099-03-06T20:00:00Z"}, "storefronts": ["us"]}"#).json
            #expect(hidden["activeTakeover"]?["layer"]?.string == "takeover" && hidden["conflictingPublications"] == nil)

            for (body, code) in [
                (#"{"publish": {"from": "2020-01-01T00:00:00Z"}}"#, "startInPast"),
                (#"{"publish": {"until": "2020-01-01T00:00:00Z"}}"#, "invalidEnd"),
                (#"{"publish": {"from": "2099-01-02T00:00:00Z", "until": "2099-01-02T00:00:00Z"}}"#, "invalidEnd"),
            ] { #expect(try await plan(body, .unprocessableContent).code == code, "\(body)") }

            for (body, pointer) in [
                (#"{}"#, ""), (#"{"publish": {}, "rollback": {}}"#, ""), (#"{"publish": {"revision": 0}}"#, "/publish/revision"),
                (#"{"publish": {"layer": "base", "until": "2099-01-01T00:00:00Z"}}"#, "/publish/until"),
                (#"{"publish": {}, "storefronts": ["us", "us"]}"#, "/storefronts"), (#"{"rollback": {"line": "main"}}"#, "/rollback/line"),
            ] {
                let response = try await plan(body, .unprocessableContent)
                #expect(try response.json["errors"]?.first?["pointer"]?.string ?? "" == pointer, "\(body): \(response.text)")
            }
            for body in [
                #"{"publish": {"line": "elsewhere"}}"#, #"{"publish": {"revision": 9}}"#, #"{"rollback": {"revision": 9}}"#,
                #"{"publish": {}, "storefronts": ["zz"]}"#,
            ] { _ = try await plan(body, .notFound) }
        }
    }

    @Test("A publication plan shows a changed layout once, on a screen")
    func changedLayout() async throws {
        try await run { site, anna in
            _ = try await publish(site, anna, #"{"revision":1}"#, .created)
            let draft = try await site.expect(.ok, "GET \(Self.feed)/draft", anna)
            let grid = AdminSite.today.replacing(#"{"list":{}}"#, with: #"{"grid":{"columns":2}}"#)
            #expect(grid != AdminSite.today)
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: grid)
            let plan = try await site.expect(
                .ok, "POST \(Self.feed):plan", anna, body: #"{"publish": {}, "storefronts": ["us", "de"]}"#
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
            try await site.expect(.created, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            func keys(_ node: JSONNode?) -> [String] { node?.elements.compactMap(\.string) ?? [] }
            let plan = try await site.expect(.ok, "POST \(Self.feed):plan", anna, body: #"{"publish": {}}"#).json
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
        let sections = (1...6).map {
            #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": {"chart": "top"}}"#
        }
        return #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    @Test("A plan whose rules are slow is sent before the request times out, and lists the storefronts that it did not compare")
    func slowPlan() async throws {
        try await AdminSite.run(timeForPlans: .milliseconds(500), comparedTogether: 1, timeout: .seconds(12), ruleTime: .seconds(1)) {
            site in
            let anna = try await site.token(.publish, "anna")
            let tag = try await site.expect(.created, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today).tag
            _ = try await publish(site, anna)
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: \(tag)"], body: Self.charted)
            try await site.pool.withConnection(until: .soon) { try await $0.runScript("slow", Self.sluggish, until: .soon) }
            let plan = try await site.expect(.ok, "POST \(Self.feed):plan", anna, body: #"{"publish": {}}"#).json
            #expect(plan["skipped"]?.count ?? 0 > 0)
            #expect(plan["findings"]?.elements.contains { $0["code"]?.string == "RULE_TOO_SLOW" } == true)
        }
    }
}
