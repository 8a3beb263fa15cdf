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
    @Test("A draft is saved on its current version, with the findings of a review, and no concurrent change is lost")
    func drafts() async throws {
        try await AdminSite.withDraft { site, anna in
            let draft = try await site.expect(.ok, "GET \(AdminSite.feed)/draft", anna)
            let hash = try #require(try draft.json["hash"]?.string)
            #expect(draft.tag == "\"\(hash)\"")
            #expect(try draft.json["document"]?["title"]?["en"]?.string == "Today")
            let again = try await site.expect(
                .preconditionFailed, "PUT \(AdminSite.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.tonight)
            #expect(try again.json["current"]?["hash"]?.string == hash && again.tag == draft.tag)

            let broken = AdminSite.tonight.replacing("app-9", with: "app-99")
            let saved = try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: broken)
            #expect(
                try saved.json["revision"]?.integer == 2 && saved.json["findings"]?.elements.map { $0["code"]?.string } == ["UNKNOWN_ITEM"])
            #expect(saved[.location] == ["\(AdminSite.feed)/revisions/2"])
            let stale = try await site.expect(
                .preconditionFailed, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: AdminSite.tonight)
            #expect(try stale.json["current"]?["revision"]?.integer == 2 && stale.tag == saved.tag)

            // Saving the same document again is not a change.
            let same = try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: \(saved.tag)"], body: broken)
            #expect(same.tag == saved.tag && same[.location].isEmpty)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }

    @Test("Lines are separate, and revisions are listed in pages")
    func lines() async throws {
        try await AdminSite.withDraft { site, anna in
            try await site.expect(.created, "PUT \(AdminSite.feed)/draft?line=night", anna, ["If-None-Match: *"], body: AdminSite.tonight)
            #expect(try await site.expect(.notFound, "GET \(AdminSite.feed)/draft?line=day", anna).code == "unknownDraft")
            #expect(try await site.expect(.notFound, "GET /admin/v1/feeds/nothing/draft", anna).code == "unknownFeed")
            let list = try await site.expect(.ok, "GET \(AdminSite.feed)/revisions?limit=1", anna)
            #expect(try list.json["revisions"]?.elements.map { $0["line"]?.string } == ["night"])
            let next = try #require(try list.json["next"]?.string)
            let rest = try await site.expect(.ok, "GET \(next)", anna)
            #expect(try rest.json["revisions"]?.elements.map { $0["revision"]?.integer } == [1] && rest.json["next"] == nil)
            try await site.expect(.badRequest, "GET \(next)&line=night", anna)
            try await site.expect(.badRequest, "GET \(AdminSite.feed)/revisions?cursor=x", anna)
            let first = try await site.expect(.ok, "GET \(AdminSite.feed)/revisions/1", anna)
            #expect(try first.json["document"]?["title"]?["en"]?.string == "Today")
            for path in ["revisions/9", "revisions/x", "revisions/99999999999999999999"] {
                try await site.expect(.notFound, "GET \(AdminSite.feed)/\(path)", anna)
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
        try await AdminSite.withDraft { site, anna in
            let bodies = [
                ("", ""), ("[", "/0"), (#"{"feed":"today"}"#, ""), (AdminSite.today.replacing("\"today\"", with: "\"games\""), "/feed"),
                (AdminSite.today.replacing("\"size\":5", with: "\"size\":0"), "/sections/0/size"),
            ]
            for (body, pointer) in bodies {
                let response = try await site.expect(
                    .unprocessableContent, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: body)
                #expect(try response.json["errors"]?.elements.contains { $0["pointer"]?.string == pointer } == true, "\(response.text)")
                try await site.expect(.unprocessableContent, "POST \(AdminSite.feed):validate", anna, body: body)
            }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
        }
    }

    @Test("A document is validated without being saved")
    func validation() async throws {
        try await AdminSite.withDraft { site, anna in
            let fine = try await site.expect(.ok, "POST \(AdminSite.feed):validate", anna, body: AdminSite.tonight)
            #expect(try fine.json["findings"]?.count == 0)
            let broken = try await site.expect(
                .ok, "POST \(AdminSite.feed):validate", anna, body: AdminSite.tonight.replacing("app-9", with: "app-99"))
            #expect(try broken.json["findings"]?.first?["pointer"]?.string == "/sections/0/pins/0/item")
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
        }
    }

    @Test("The state at another time has no ETag for changes")
    func times() async throws {
        try await AdminSite.withDraft { site, anna in
            _ = try await site.publish(anna, #"{"revision":1,"from":"2999-01-01T00:00:00Z"}"#)
            for (time, live) in [("", nil), ("?at=2998-12-31T23:59:59Z", nil), ("?at=2999-01-01T00:00:00Z", 1)] {
                let (state, list) = (
                    try await site.expect(.ok, "GET \(AdminSite.feed)\(time)", anna),
                    try await site.expect(.ok, "GET /admin/v1/feeds\(time)", anna)
                )
                #expect(try state.json["live"]?.first?["revision"]?.integer == live)
                #expect(try state.json["publications"]?.count == 1)
                #expect(try list.json["feeds"]?.first?["live"]?.first?["revision"]?.integer == live)
                #expect(state[.etag].isEmpty == !time.isEmpty && list[.etag].isEmpty == !time.isEmpty)
            }
            try await site.expect(.badRequest, "GET \(AdminSite.feed)?at=tomorrow", anna)
            try await site.expect(.badRequest, "GET /admin/v1/feeds?at=", anna)
        }
    }

    @Test("A feed is archived once")
    func archive() async throws {
        try await AdminSite.withDraft { site, anna in
            let tag = try await site.expect(.ok, "GET \(AdminSite.feed)", anna).tag
            let archived = try await site.expect(.ok, "POST \(AdminSite.feed):archive", anna, ["If-Match: \(tag)"])
            #expect(try archived.json["archivedAt"] != nil)
            try await site.expect(.ok, "POST \(AdminSite.feed):archive", anna, ["If-Match: \(archived.tag)"])
            let refused = try await site.expect(.conflict, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight)
            #expect(try refused.code == "feedArchived")
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries ORDER BY number") == ["draft.save", "feed.archive"])
        }
    }

    @Test("An archived feed is restored once, with its schedule")
    func restore() async throws {
        try await AdminSite.withDraft { site, anna in
            let tag = try await site.expect(.ok, "GET \(AdminSite.feed)", anna).tag
            let retained = try await site.expect(.ok, "POST \(AdminSite.feed):restore", anna, ["If-Match: \(tag)"])
            #expect(retained.tag == tag)
            let archived = try await site.expect(.ok, "POST \(AdminSite.feed):archive", anna, ["If-Match: \(tag)"])
            try await site.expect(.preconditionFailed, "POST \(AdminSite.feed):restore", anna, ["If-Match: \(tag)"])
            let restored = try await site.expect(.ok, "POST \(AdminSite.feed):restore", anna, ["If-Match: \(archived.tag)"])
            #expect(try restored.json["archivedAt"] == nil && restored.tag == tag)
            #expect(
                try await site.rows("SELECT concat_ws(' ', action, before, after) FROM vitrine.audit_entries ORDER BY number").dropFirst()
                    == [
                        #"feed.archive {"archived": false} {"archived": true}"#,
                        #"feed.restore {"archived": true} {"archived": false}"#,
                    ])
            let reader = try await site.token(.curate)
            try await site.expect(.forbidden, "POST \(AdminSite.feed):restore", reader, ["If-Match: \(tag)"])
        }
    }

    @Test("An unsaved document can be explained")
    func explainedDocuments() async throws {
        try await AdminSite.withDraft { site, anna in
            let path = "\(AdminSite.feed):explain?storefront=us"
            let response = try await site.expect(.ok, "POST \(path)", anna, body: AdminSite.today.replacing("Today", with: "Unsaved"))
            #expect(try response.json["revision"] == nil && response.json["sections"]?.first?["slots"]?.count == 5)
            try await site.expect(.ok, "POST \(path)&at=2099-01-01T00:00:00Z", anna, body: AdminSite.today)
            try await site.expect(.badRequest, "POST \(path)&revision=1", anna, body: AdminSite.today)
            try await site.expect(.notFound, "POST \(AdminSite.feed):explain?storefront=zz", anna, body: AdminSite.today)
            try await site.expect(.unprocessableContent, "POST \(path)", anna, body: "{}")
            try await site.expect(.unprocessableContent, "POST /admin/v1/feeds/games:explain?storefront=us", anna, body: AdminSite.today)
        }
    }

    @Test("Without a revision and a line, the live revision of the storefront at the time is previewed and explained")
    func liveRevision() async throws {
        try await AdminSite.withDraft { site, anna in
            func revisions(_ parameters: String) async throws -> [Int?] {
                var numbers: [Int?] = []
                for verb in ["preview", "explain"] {
                    let page = try await site.expect(.ok, "GET \(AdminSite.feed):\(verb)?\(parameters)", anna)
                    numbers.append(try page.json["revision"]?.integer)
                }
                return numbers
            }
            func expectNone(_ parameters: String) async throws {
                for verb in ["preview", "explain"] {
                    let response = try await site.expect(.notFound, "GET \(AdminSite.feed):\(verb)?\(parameters)", anna)
                    #expect(try response.code == "unknownFeed", "\(verb)?\(parameters)")
                }
            }
            try await expectNone("storefront=us")
            #expect(try await revisions("storefront=us&line=main") == [1, 1])

            _ = try await site.publish(anna)
            let draft = try await site.expect(.ok, "GET \(AdminSite.feed)/draft", anna)
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: AdminSite.tonight)
            #expect(try await revisions("storefront=us") == [1, 1])
            #expect(try await revisions("storefront=us&line=main") == [2, 2])
            try await expectNone("storefront=us&at=2001-01-01T00:00:00Z")

            let period = #""from":"2099-01-01T00:00:00Z","until":"2099-01-02T00:00:00Z""#
            _ = try await site.publish(anna, #"{"revision":2,"layer":"takeover","storefronts":["us"],\#(period)}"#)
            let time = "at=2099-01-01T12:00:00Z"
            #expect(try await revisions("storefront=us&\(time)") == [2, 2])
            #expect(try await revisions("storefront=us&revision=1&\(time)") == [1, 1])
            #expect(try await revisions("storefront=de&\(time)") == [1, 1])
            #expect(try await revisions("storefront=us&at=2099-01-02T00:00:00Z") == [1, 1])
        }
    }

    @Test("Any revision can be previewed at any time, and each slot is explained")
    func rehearsals() async throws {
        try await AdminSite.withDraft { site, anna in
            let page = try await site.expect(.ok, "GET \(AdminSite.feed):preview?storefront=us&locale=es&line=main", anna)
            #expect(
                try page.json["title"]?.string == "Hoy" && page.json["locale"]?.string == "es" && page.json["items"]?.count ?? 0 > 0
            )
            try await site.expect(.ok, "GET \(AdminSite.feed):preview?storefront=us&at=2099-01-01T00:00:00Z&revision=1", anna)
            let response = try await site.expect(.ok, "GET \(AdminSite.feed):explain?storefront=us&line=main", anna)
            let section = try #require(try response.json["sections"]?.first)
            #expect(section["slots"]?.elements.map { $0["reason"]?.string } == ["rule", "pin", "rule", "rule", "rule"])
            #expect(section["omitted"]?.elements.map { $0["reason"]?.string }.contains("overLimit") == true)
            for verb in ["preview", "explain"] {
                try await site.expect(.badRequest, "GET \(AdminSite.feed):\(verb)", anna)
                try await site.expect(.badRequest, "GET \(AdminSite.feed):\(verb)?storefront=us&at=soon", anna)
                try await site.expect(.notFound, "GET \(AdminSite.feed):\(verb)?storefront=zz", anna)
                try await site.expect(.notFound, "GET \(AdminSite.feed):\(verb)?storefront=us&revision=9", anna)
                try await site.expect(.notFound, "GET \(AdminSite.feed):\(verb)?storefront=us&line=night", anna)
            }
        }
    }
}
