import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The plan of feeds and its application", .databaseForEachTest)
struct PlanRouteTests {
    private static let plan = "POST /admin/v1/feeds:plan"
    private static let apply = "POST /admin/v1/feeds:apply"
    private static let night = AdminSite.today.replacing("\"Today\"", with: "\"Night\"")

    private static func feed(_ key: String, limit: Int = 5, target: String = "") -> String {
        AdminSite.today.replacing("\"today\"", with: "\"\(key)\"").replacing("\"size\":5", with: "\"size\":\(limit)\(target)")
    }

    private static func body(_ documents: String..., lines: [String] = [], more: String = "") -> String {
        let files = documents.enumerated().map { index, document in
            "{\(index < lines.count ? "\"line\":\"\(lines[index])\"," : "")\"document\":\(document)}"
        }
        return "{\"documents\":[\(files.joined(separator: ","))]\(more)}"
    }

    private static let publish = #","publish":true"#
    private static let prune = #","prune":true"#

    private func changes(_ response: Response) throws -> [JSONNode] { try response.json["changes"]?.elements.map { $0 } ?? [] }

    /// Plans and applies the request, and returns the applied changes.
    @discardableResult
    private func run(_ site: AdminSite, _ token: AccessToken, _ body: String) async throws -> [JSONNode] {
        let plan = try await site.expect(.ok, Self.plan, token, body: body)
        return try changes(try await site.expect(.ok, Self.apply, token, ["If-Match: \(plan.tag)"], body: body))
    }

    @Test("A plan changes nothing, and applying it makes exactly the planned changes")
    func applied() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let body = Self.body(Self.feed("food"), AdminSite.today, Self.night, lines: ["main", "main", "night"], more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            let planned = try changes(plan)
            #expect(planned.map { $0["feed"]?.string } == ["food", "today", "today"])
            #expect(planned.map { $0["line"]?.string } == ["main", "main", "night"])
            #expect(planned.allSatisfy { $0["action"]?.string == "create" && $0["findings"]?.count == 0 })
            #expect(planned.map { $0["publishes"]?.bool } == [true, true, nil])
            #expect(
                planned[0]["affectedStorefronts"]?.elements.map(\.string) == ["de", "sa", "us"]
                    || planned[0]["affectedStorefronts"]?.count ?? 0 > 1)
            #expect(try await site.rows("SELECT key FROM vitrine.feeds") == [])

            let done = try changes(try await site.expect(.ok, Self.apply, anna, ["If-Match: \(plan.tag)"], body: body))
            #expect(done.map { $0["revision"]?.integer } == [1, 1, 2] && done.map { $0["publication"] != nil } == [true, true, false])
            let rows = try await site.rows("SELECT action || ' ' || feed FROM vitrine.audit_entries ORDER BY number")
            #expect(
                rows == ["draft.save food", "publication.create food", "draft.save today", "publication.create today", "draft.save today"])
            #expect(
                try await site.rows("SELECT DISTINCT feed FROM vitrine.live_revisions(clock_timestamp()) ORDER BY feed") == [
                    "food", "today",
                ])

            // A second application changes nothing.
            let again = try await run(site, anna, body)
            #expect(again.allSatisfy { $0["action"]?.string == "none" && $0["publication"] == nil })
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["5"])
        }
    }

    @Test("Only a request with publication publishes, including drafts that were saved before")
    func published() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await run(site, anna, Self.body(AdminSite.today))
            #expect(try await site.rows("SELECT feed FROM vitrine.publications") == [])
            let later = try changes(try await site.expect(.ok, Self.plan, anna, body: Self.body(AdminSite.today, more: Self.publish)))
            #expect(later[0]["action"]?.string == "none" && later[0]["publishes"]?.bool == true && later[0]["findings"] != nil)
            try await run(site, anna, Self.body(AdminSite.today, more: Self.publish))
            #expect(try await site.rows("SELECT revision::text FROM vitrine.publications") == ["1"])
        }
    }

    @Test("A plan has the diff of each feed, and the storefronts whose pages change")
    func difference() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await run(site, anna, Self.body(AdminSite.today, more: Self.publish))
            let section = #",{"key":"more","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"target":{"storefronts":["us"]}}]"#
            let added = try changes(
                try await site.expect(
                    .ok, Self.plan, anna, body: Self.body(AdminSite.today.replacing("\"size\":5}]", with: "\"size\":5}\(section)"))))
            let more = added[0]["diff"]?["sections"]?.first
            #expect(more?["section"]?.string == "more" && more?["change"]?.string == "added")
            #expect(added[0]["diffLines"]?.first?["mark"]?.string == "+")
            #expect(added[0]["affectedStorefronts"]?.elements.map(\.string) == ["us"] && added[0]["draftRevision"]?.integer == 1)
            let broken = Self.feed("today", limit: 7).replacing("app-9", with: "app-99")
            let changed = try changes(try await site.expect(.ok, Self.plan, anna, body: Self.body(broken)))
            let apps = changed[0]["diff"]?["sections"]?.first
            #expect(apps?["section"]?.string == "apps" && apps?["pins"]?.count == 2)
            #expect(apps?["fields"]?.elements.map { $0["pointer"]?.string } == ["/size"])
            #expect(changed[0]["findings"]?.elements.map { $0["code"]?.string } == ["UNKNOWN_ITEM"])
        }
    }

    @Test("The plan of a publication shows the diff to the live revision, even if another curator saved the draft")
    func unpublished() async throws {
        try await AdminSite.run { site in
            let (anna, ben) = (try await site.token(.publish, "anna"), try await site.token(.curate, "ben"))
            try await run(site, anna, Self.body(AdminSite.today, more: Self.publish))
            let theirs = Self.feed("today", limit: 3)
            try await run(site, ben, Self.body(theirs))
            let plan = try await site.expect(.ok, Self.plan, anna, body: Self.body(theirs, more: Self.publish))
            let change = try #require(try changes(plan).first)
            #expect(change["action"]?.string == "none" && change["publishes"]?.bool == true && change["fromRevision"]?.integer == 1)
            #expect(change["diffLines"]?.elements.map { $0["text"]?.string } == ["section apps", "size: 5 → 3"])
            // A publication by another curator makes a different plan, even if it publishes the same draft.
            let state = try await site.expect(.ok, "GET /admin/v1/feeds/today/publications", anna)
            try await site.expect(
                .created, "POST /admin/v1/feeds/today/publications", anna, ["If-Match: \(state.tag)"], body: #"{"revision":2}"#)
            let late = try await site.expect(
                .preconditionFailed, Self.apply, anna, ["If-Match: \(plan.tag)"], body: Self.body(theirs, more: Self.publish))
            #expect(try late.json["current"]?["changes"]?.first?["publishes"] == nil)
        }
    }

    @Test("A plan names the active takeover, and differs once the takeover has ended")
    func takeover() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await run(site, anna, Self.body(AdminSite.today, Self.night, lines: ["main", "night"], more: Self.publish))
            let state = try await site.expect(.ok, "GET /admin/v1/feeds/today/publications", anna)
            let running = try await site.expect(
                .created, "POST /admin/v1/feeds/today/publications", anna, ["If-Match: \(state.tag)"],
                body: #"{"revision":2,"layer":"takeover"}"#)
            let body = Self.body(Self.feed("today", limit: 3), more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            let takeovers = try changes(plan)[0]["activeTakeovers"]
            #expect(takeovers?.elements.map { $0["revision"]?.integer } == [2] && takeovers?.first?["spans"]?.count == 3)
            #expect(try changes(plan)[0]["baseRevision"]?.integer == 1)
            try await site.expect(.ok, "DELETE \(running[.location][0])", anna, ["If-Match: \(running.tag)"])
            try await site.expect(.preconditionFailed, Self.apply, anna, ["If-Match: \(plan.tag)"], body: body)
            try await run(site, anna, body)
        }
    }

    @Test("A plan publishes everywhere, and reports before the 409 that it would replace the base of one storefront")
    func localBase() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await run(site, anna, Self.body(AdminSite.today, Self.night, lines: ["main", "night"], more: Self.publish))
            let state = try await site.expect(.ok, "GET /admin/v1/feeds/today/publications", anna)
            try await site.expect(
                .created, "POST /admin/v1/feeds/today/publications", anna, ["If-Match: \(state.tag)"],
                body: #"{"revision":2,"storefronts":["sa"]}"#)
            // The draft is live in most storefronts, but not in all.
            let body = Self.body(AdminSite.today, more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            #expect(try changes(plan)[0]["publishes"]?.bool == true && changes(plan)[0]["baseRevision"]?.integer == 1)
            #expect(try changes(plan)[0]["affectedStorefronts"]?.elements.map { $0.string } == ["sa"])
            let finding = try #require(try changes(plan)[0]["findings"]?.first)
            #expect(finding["code"]?.string == "LOCAL_BASE" && finding["severity"]?.string == "error")
            #expect(finding["message"]?.string?.contains("published for sa only") == true)
            #expect(finding["hint"]?.string?.contains("replaceLocal") == true)
            #expect(try changes(plan)[0]["reviewed"]?.bool == true)
            let refused = try await site.expect(.conflict, Self.apply, anna, ["If-Match: \(plan.tag)"], body: body)
            #expect(try refused.code == "localBase", "\(refused.text)")
            // Another request is another plan, which replaces the base.
            let replacing = Self.body(AdminSite.today, more: Self.publish + #","replaceLocal":true"#)
            try await site.expect(.preconditionFailed, Self.apply, anna, ["If-Match: \(plan.tag)"], body: replacing)
            let warned = try changes(try await site.expect(.ok, Self.plan, anna, body: replacing))[0]["findings"]?.elements.map { $0 }.last
            #expect(warned?["code"]?.string == "LOCAL_BASE" && warned?["severity"]?.string == "warning")
            let alone = Self.body(AdminSite.today, more: #","replaceLocal":true"#)
            let invalid = try await site.expect(.unprocessableContent, Self.plan, anna, body: alone)
            #expect(try invalid.json["errors"]?.first?["pointer"]?.string == "/replaceLocal")
            let done = try await run(site, anna, replacing)
            #expect(done[0]["publication"]?["spans"]?.count == 3)
            // The new base is for all storefronts, so nothing is in the way of the next one.
            let next = Self.body(Self.feed("today", limit: 6), more: Self.publish)
            let free = try changes(try await site.expect(.ok, Self.plan, anna, body: next))[0]["findings"]
            #expect(free?.elements.contains { $0["code"]?.string == "LOCAL_BASE" } == false)
            let again = try await site.expect(.ok, "GET /admin/v1/feeds/today/publications", anna)
            let second = try await site.expect(
                .created, "POST /admin/v1/feeds/today/publications", anna, ["If-Match: \(again.tag)"],
                body: #"{"revision":2,"storefronts":["sa"]}"#)
            try await site.expect(.ok, "DELETE \(second[.location][0])", anna, ["If-Match: \(second.tag)"])
            try await run(site, anna, body)
            #expect(try await site.rows("SELECT DISTINCT revision::text FROM vitrine.live_revisions(clock_timestamp())") == ["1"])
        }
    }

    /// Returns a document with a card that has an action.
    private static func file(_ key: String, _ kind: String, action: String) -> String {
        let card = #"{"slot":0,"card":{"key":"c","title":{"en":"C","de":"C","es":"C","ar":"C"},"action":\#(action)}}"#
        let section = #"{"key":"cards","layout":{"list":{}},"cell":"row","pins":[\#(card)]}"#
        return #"{"format":2,"feed":"\#(key)",\#(kind)"title":{"en":"X","de":"X","es":"X","ar":"X"},"sections":[\#(section)]}"#
    }

    private static func codes(_ findings: JSONNode?) -> [String] { (findings?.elements.map { $0 } ?? []).compactMap { $0["code"]?.string } }

    @Test("A page and the new story that it opens are applied together, and the page alone has an unknown feed")
    func stories() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            // The story opens the page that opens it, and follows it by name.
            let page = Self.file("atlas", "", action: #"{"story":"tale"}"#)
            let story = Self.file("tale", #""kind":"story","#, action: #"{"feed":"atlas"}"#)
            let alone = Self.body(page, more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, anna, body: alone)
            #expect(try Self.codes(changes(plan)[0]["findings"]) == ["UNKNOWN_FEED"], "\(plan.text)")
            let rejected = try await site.expect(.unprocessableContent, Self.apply, anna, ["If-Match: \(plan.tag)"], body: alone)
            #expect(try rejected.code == "reviewFailed" && Self.codes(rejected.json["findings"]) == ["UNKNOWN_FEED"])

            let both = Self.body(page, story, more: Self.publish)
            let planned = try changes(try await site.expect(.ok, Self.plan, anna, body: both))
            #expect(!planned.flatMap { Self.codes($0["findings"]) }.contains("UNKNOWN_FEED"))
            let done = try await run(site, anna, both)
            #expect(done.map { $0["feed"]?.string } == ["atlas", "tale"] && done.allSatisfy { $0["publication"] != nil })
            // The page is live when it is opened as a feed, but it is not a story.
            let wrong = Self.file("tale", #""kind":"story","#, action: #"{"story":"atlas"}"#)
            let third = try changes(try await site.expect(.ok, Self.plan, anna, body: Self.body(wrong, more: Self.publish)))
            #expect(Self.codes(third[0]["findings"]) == ["UNKNOWN_FEED"])
            #expect(third[0]["findings"]?.first?["message"]?.string == "the feed atlas is a page, not a story")
        }
    }

    @Test("A plan that had no time for a review reports that, and applying it runs the review")
    func unreviewed() async throws {
        try await AdminSite.run(timeForPlans: .zero) { site in
            let anna = try await site.token(.publish, "anna")
            let body = Self.body(AdminSite.today.replacing("app-9", with: "app-99"), more: Self.publish)
            let planned = try changes(try await site.expect(.ok, Self.plan, anna, body: body))
            #expect(planned[0]["reviewed"]?.bool == false && planned[0]["findings"] == nil)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            let refused = try await site.expect(.unprocessableContent, Self.apply, anna, ["If-Match: \(plan.tag)"], body: body)
            #expect(try refused.code == "reviewFailed")
            let done = try await run(site, anna, Self.body(AdminSite.today, more: Self.publish))
            #expect(done[0]["findings"]?.elements.map { $0["severity"]?.string } == [])
        }
    }

    @Test("An outdated plan is rejected with the current one")
    func stale() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let body = Self.body(AdminSite.today)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            try await site.expect(
                .created, "PUT /admin/v1/feeds/today/draft", anna, ["If-None-Match: *"], body: Self.feed("today", limit: 9))
            let any = try await site.expect(.preconditionRequired, Self.apply, anna, ["If-Match: *"], body: body)
            #expect(try any.code == "missingPrecondition")
            let response = try await site.expect(.preconditionFailed, Self.apply, anna, ["If-Match: \(plan.tag)"], body: body)
            #expect(try response.json["current"]?["changes"]?.first?["action"]?.string == "update")
            let now = try await site.expect(.ok, Self.plan, anna, body: body)
            #expect(response.tag == now.tag)
            // The tag is valid only for these documents.
            try await site.expect(
                .preconditionFailed, Self.apply, anna, ["If-Match: \(now.tag)"], body: Self.body(Self.feed("today", limit: 3)))
            try await site.expect(
                .preconditionFailed, Self.apply, anna, ["If-Match: \(now.tag)"], body: Self.body(AdminSite.today, more: Self.publish))
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
            try await site.expect(.ok, Self.apply, anna, ["If-Match: \(now.tag)"], body: body)
        }
    }

    @Test("A feed without a document is archived only if the request prunes, and restored by a later document")
    func pruned() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let both = Self.body(Self.feed("food"), AdminSite.today, more: Self.publish)
            try await run(site, anna, both)
            #expect(try await run(site, anna, Self.body(AdminSite.today)).count == 1)
            let plan = try changes(try await site.expect(.ok, Self.plan, anna, body: Self.body(AdminSite.today, more: Self.prune)))
            #expect(plan.map { $0["action"]?.string } == ["archive", "none"] && plan[0]["affectedStorefronts"]?.count ?? 0 > 0)
            try await run(site, anna, Self.body(AdminSite.today, more: Self.prune))
            #expect(try await site.rows("SELECT key FROM vitrine.feeds WHERE archived_at IS NOT NULL") == ["food"])
            #expect(try await run(site, anna, Self.body(AdminSite.today, more: Self.prune)).count == 1)
            let back = try await run(site, anna, both)
            #expect(back[0]["restored"]?.bool == true && back[0]["action"]?.string == "none" && back[0]["publication"] == nil)
            #expect(try await site.rows("SELECT key FROM vitrine.feeds WHERE archived_at IS NOT NULL") == [])
            let actions = try await site.rows("SELECT action FROM vitrine.audit_entries WHERE feed = 'food' ORDER BY number")
            #expect(actions == ["draft.save", "publication.create", "feed.archive", "feed.restore"])
        }
    }

    @Test("A plan is applied as a whole or not at all")
    func refused() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let broken = AdminSite.today.replacing("app-9", with: "app-99")
            let body = Self.body(Self.feed("food"), broken, more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            let response = try await site.expect(.unprocessableContent, Self.apply, anna, ["If-Match: \(plan.tag)"], body: body)
            #expect(try response.code == "reviewFailed" && response.json["detail"]?.string?.contains("today") == true)
            #expect(try await site.rows("SELECT key FROM vitrine.feeds") == [])
        }
    }

    @Test("A response for insufficient scope is not stored under an Idempotency-Key")
    func refusedScope() async throws {
        try await AdminSite.run { site in
            let ben = try await site.token(.curate, "ben")
            let printed = Self.body(AdminSite.today, more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, ben, body: printed)
            let fields = ["If-Match: \(plan.tag)", "Idempotency-Key: once"]
            try await site.expect(.forbidden, Self.apply, ben, fields, body: printed)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.replies") == ["0"])
            #expect(try await site.rows("SELECT key FROM vitrine.feeds") == [])
            // The token gets another scope.
            try await site.sql("UPDATE vitrine.tokens SET scope = 'publish' WHERE name = 'ben'")
            try await site.expect(.ok, Self.apply, ben, fields, body: printed)
        }
    }

    @Test("Applying a plan requires the scope `publish` only if it changes what clients see")
    func scopes() async throws {
        try await AdminSite.run { site in
            let (anna, ben) = (try await site.token(.publish, "anna"), try await site.token(.curate, "ben"))
            let printed = Self.body(AdminSite.today, more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, ben, body: printed)
            try await site.expect(.forbidden, Self.apply, ben, ["If-Match: \(plan.tag)"], body: printed)
            try await run(site, ben, Self.body(AdminSite.today))
            try await run(site, anna, printed)
            // No change is left to apply.
            try await run(site, ben, printed)
        }
    }

    @Test("An invalid request is rejected with the pointers of all issues")
    func issues() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let cases = [
                (#"{"documents":[]}"#, "/documents"), ("{}", ""),
                (Self.body(AdminSite.today, Self.feed("food", limit: 0)), "/documents/1/document/sections/0/size"),
                (Self.body(AdminSite.today, AdminSite.today), "/documents/1"),
                (Self.body(AdminSite.today, lines: ["No"]), "/documents/0/line"),
                (Self.body(AdminSite.today, more: #","purge":true"#), "/purge"),
            ]
            for (body, pointer) in cases {
                let response = try await site.expect(.unprocessableContent, Self.plan, anna, body: body)
                #expect(try response.json["errors"]?.first?["pointer"]?.string == pointer, "\(response.text)")
            }
        }
    }

    @Test("A plan is applied once under an Idempotency-Key")
    func idempotent() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let body = Self.body(AdminSite.today, more: Self.publish)
            let plan = try await site.expect(.ok, Self.plan, anna, body: body)
            let fields = ["If-Match: \(plan.tag)", "Idempotency-Key: once"]
            let first = try await site.expect(.ok, Self.apply, anna, fields, body: body)
            #expect(try await site.expect(.ok, Self.apply, anna, fields, body: body).text == first.text)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.publications") == ["1"])
        }
    }

    @Test("Only one of four concurrent applications of a plan succeeds")
    func race() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let body = Self.body(Self.feed("food"), AdminSite.today)
            let tag = try await site.expect(.ok, Self.plan, anna, body: body).tag
            let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                for _ in 0..<4 {
                    group.addTask(executorPreference: site.pool.loop) {
                        try await site.send(Self.apply, anna, ["If-Match: \(tag)"], body: body).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .ok } == 1 && statuses.count { $0 == .preconditionFailed } == 3, "\(statuses)")
        }
    }
}
