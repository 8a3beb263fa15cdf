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

    /// Returns each revision with its storefronts: `2 de us`.
    private func revisions(_ list: JSONNode?) -> [String] {
        list?.elements.map { node in
            (["\(node["revision"]?.integer ?? 0)"] + (node["storefronts"]?.elements.compactMap(\.string) ?? [])).joined(separator: " ")
        } ?? []
    }

    /// Returns each conflicting publication with its storefronts: `7 de us`.
    private func conflicting(_ response: Response) throws -> [String] {
        try response.json["conflictingPublications"]?.elements.map { node in
            (["\(node["publication"]?["id"]?.integer ?? 0)"] + (node["storefronts"]?.elements.compactMap(\.string) ?? []))
                .joined(separator: " ")
        } ?? []
    }

    /// Returns the storefront, the start and the end of each span.
    private func spans(_ publication: JSONNode) -> [String] {
        publication["spans"]?.elements.map { span in
            ["storefront", "from", "until"].map { span[$0]?.string ?? "" }.joined(separator: " ")
        } ?? []
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
                #expect(try state.json["live"]?.first?["revision"]?.integer == live)
                #expect(try state.json["publications"]?.count == 1)
                #expect(try list.json["feeds"]?.first?["live"]?.first?["revision"]?.integer == live)
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
            _ = try await publish(site, anna, #"{"revision":2}"#)
            let state = try await site.expect(.ok, "GET \(Self.feed)", anna)
            #expect(try state.json["live"]?.first?["revision"]?.integer == 2 && state.json["draft"]?["revision"]?.integer == 2)
            #expect(
                try await site.expect(.ok, "GET /admin/v1/feeds", anna).json["feeds"]?.first?["live"]?.first?["revision"]?.integer == 2)

            let visible = try await site.expect(.ok, "GET \(Self.feed)", anna)
            #expect(try revisions(visible.json["bases"]) == ["2 de sa us"] && revisions(visible.json["rollback"]) == ["1 de sa us"])
            let back = try await site.expect(.ok, "POST \(Self.feed):rollback", anna, ["If-Match: \(state.tag)"])
            #expect(try back.json["publications"]?.elements.map { $0["revision"]?.integer } == [1])
            let stale = try await site.expect(.preconditionFailed, "POST \(Self.feed):rollback", anna, ["If-Match: \(state.tag)"])
            #expect(try stale.json["current"]?["live"]?.first?["revision"]?.integer == 1)
            #expect(stale.tag == (try await site.expect(.ok, "GET \(Self.feed)", anna).tag))
            let named = try await site.expect(
                .ok, "POST \(Self.feed):rollback", anna, ["If-Match: \(stale.tag)"], body: #"{"revision":2}"#)
            #expect(try named.json["publications"]?.elements.map { $0["revision"]?.integer } == [2])
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
                    && conflicting(refused) == ["\(planned.json["publication"]?["id"]?.integer ?? 0) de sa us"], "\(refused.text)")
            let path = planned[.location][0]
            try await site.expect(.notFound, "DELETE \(path.replacing("today", with: "games"))", anna, ["If-Match: *"])
            let canceled = try await site.expect(.ok, "DELETE \(path)", anna, ["If-Match: \(planned.tag)"])
            #expect(try canceled.json["canceledAt"] != nil && canceled.json["spans"]?.count == 0, "\(canceled.text)")
            #expect(try await site.expect(.ok, "GET \(path)", anna).tag == canceled.tag)
            #expect(try await site.expect(.ok, "GET \(Self.feed)/publications", anna).json["publications"]?.count == 0)
            try await site.expect(.preconditionFailed, "DELETE \(path)", anna, ["If-Match: \(planned.tag)"])
            let again = try await site.expect(.conflict, "DELETE \(path)", anna, ["If-Match: \(canceled.tag)"])
            #expect(try again.code == "publicationEnded")

            let running = try await publish(site, anna, #"{"revision":1,"layer":"takeover"}"#)
            let ended = try await site.expect(.ok, "DELETE \(running[.location][0])", anna, ["If-Match: \(running.tag)"])
            #expect(try ended.json["until"] == nil && ended.json["canceledAt"] != nil)
            #expect(try ended.json["spans"]?.elements.compactMap { $0["until"]?.string }.count == 3, "\(ended.text)")
            let over = try await site.expect(.conflict, "DELETE \(running[.location][0])", anna, ["If-Match: \(ended.tag)"])
            #expect(try over.code == "publicationEnded")
        }
    }

    @Test("A wall clock is another instant in each storefront, also in a night in which clocks change")
    func wallClocks() async throws {
        try await run { site, anna in
            // On 2098-03-30, clocks in Berlin skip 02:30.
            let order = #"{"revision":1,"layer":"takeover","from":"2098-03-30T02:30","until":"2098-03-30T12:00:00Z"}"#
            let done = try await publish(site, anna, order)
            let publication = try #require(try done.json["publication"])
            #expect(publication["from"]?.string == "2098-03-30T02:30" && publication["until"]?.string == "2098-03-30T12:00:00.000000Z")
            #expect(publication["storefronts"] == nil)
            let zones = try await site.rows(
                """
                SELECT key || ' ' || to_char(vitrine.moment_of('2098-03-30 02:30', time_zone) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000000Z"')
                FROM vitrine.storefronts ORDER BY key
                """)
            #expect(spans(publication) == zones.map { "\($0) 2098-03-30T12:00:00.000000Z" })
            #expect(Set(zones.map { $0.split(separator: " ")[1] }).count == 3)
            let read = try await site.expect(.ok, "GET \(done[.location][0])", anna)
            #expect(try spans(read.json) == spans(publication) && read.tag == done.tag)
        }
    }

    @Test("Takeovers of different storefronts do not conflict, and a conflict lists the storefronts of each publication")
    func conflicts() async throws {
        try await run { site, anna in
            func takeover(_ storefronts: String, _ from: Int, _ until: Int, _ status: Status = .created) async throws -> Response {
                let times = #""from":"2099-03-0\#(from)T18:00","until":"2099-03-0\#(until)T18:00""#
                return try await publish(
                    site, anna, #"{"revision":1,"layer":"takeover",\#(storefronts)\#(times)}"#, status)
            }
            let arabic = try await takeover(#""storefronts":["sa"],"#, 2, 4).json["publication"]
            let western = try await takeover(#""storefronts":["us","de"],"#, 3, 5).json["publication"]
            #expect(arabic?["spans"]?.count == 1 && western?["storefronts"]?.count == 2 && western?["spans"]?.count == 2)
            let (first, second) = (arabic?["id"]?.integer ?? 0, western?["id"]?.integer ?? 0)
            let refused = try await takeover("", 3, 6, .conflict)
            #expect(
                try refused.code == "publicationOverlap" && conflicting(refused) == ["\(first) sa", "\(second) de us"], "\(refused.text)")
            #expect(try conflicting(try await takeover(#""storefronts":["us"],"#, 3, 4, .conflict)) == ["\(second) us"])
            // Nothing is left of a refused publication.
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.publications") == ["2"])
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.publication_spans") == ["3"])
            _ = try await takeover(#""storefronts":["sa"],"#, 4, 5)
        }
    }

    @Test("A publication for all replaces the base of some storefronts only with replaceLocal")
    func localBases() async throws {
        try await run { site, anna in
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: Self.other)
            _ = try await publish(site, anna)
            let local = try await publish(site, anna, #"{"revision":2,"storefronts":["sa"]}"#).json["publication"]?["id"]?.integer
            func state() async throws -> [String] { revisions(try await site.expect(.ok, "GET \(Self.feed)", anna).json["bases"]) }
            #expect(try await state() == ["1 de us", "2 sa"])
            let refused = try await publish(site, anna, #"{"revision":2}"#, .conflict)
            #expect(try refused.code == "localBase" && conflicting(refused) == ["\(local ?? 0) sa"], "\(refused.text)")
            let plan = try await site.expect(.ok, "POST \(Self.feed):plan", anna, body: #"{"publish": {"revision": 1}, "compare": ["us"]}"#)
                .json
            let bases = try #require(plan["localBases"]?.first)
            #expect(plan["localBases"]?.count == 1 && bases["storefronts"]?.elements.map { $0.string } == ["sa"])
            #expect(bases["publication"]?["id"]?.integer == local && plan["conflictingPublications"] == nil)
            // Other listed storefronts do not touch it.
            _ = try await publish(site, anna, #"{"revision":2,"storefronts":["us"]}"#)
            #expect(try await state() == ["1 de", "2 sa us"])
            _ = try await publish(site, anna, #"{"revision":1,"replaceLocal":true}"#)
            #expect(try await state() == ["1 de sa us"])
            // That base is for all, so another one replaces it.
            _ = try await publish(site, anna, #"{"revision":2}"#)
            #expect(try await state() == ["2 de sa us"])
        }
    }

    @Test("A publication is canceled in some storefronts, and stays in the others")
    func cancellation() async throws {
        try await run { site, anna in
            _ = try await publish(site, anna)
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: Self.other)
            let planned = try await publish(site, anna, #"{"revision":2,"from":"2099-03-01T18:00:00Z"}"#)
            let path = planned[.location][0]
            for query in ["storefronts=", "storefronts=us,us", "storefronts=us,", "storefront=us"] {
                try await site.expect(.badRequest, "DELETE \(path)?\(query)", anna, ["If-Match: \(planned.tag)"])
            }
            let part = try await site.expect(.ok, "DELETE \(path)?storefronts=us,sa", anna, ["If-Match: \(planned.tag)"])
            #expect(try spans(part.json) == ["de 2099-03-01T18:00:00.000000Z "] && part.json["canceledAt"] == nil, "\(part.text)")
            // The base before it lasts until further notice again.
            let base = try #require(try await site.expect(.ok, "GET \(Self.feed)/publications", anna).json["publications"]?.first)
            #expect(base["spans"]?.elements.map { $0["until"]?.string } == ["2099-03-01T18:00:00.000000Z", nil, nil])
            for storefronts in ["us", "us,de"] {
                let refused = try await site.expect(.conflict, "DELETE \(path)?storefronts=\(storefronts)", anna, ["If-Match: \(part.tag)"])
                #expect(try refused.code == "publicationEnded", "\(refused.text)")
                #expect(try refused.json["detail"]?.string?.contains("has no period in us.") == true, "\(refused.text)")
            }
            let unknown = try await site.expect(
                .unprocessableContent, "DELETE \(path)?storefronts=us,xx,yy", anna, ["If-Match: \(part.tag)"])
            #expect(try unknown.code == "unknownStorefronts", "\(unknown.text)")
            #expect(try unknown.json["detail"]?.string?.contains("do not exist: xx, yy.") == true, "\(unknown.text)")
            let running = try #require(base["id"]?.integer)
            let ended = try await site.expect(
                .ok, "DELETE \(Self.feed)/publications/\(running)?storefronts=sa", anna, ["If-Match: *"])
            let both = try await site.expect(
                .conflict, "DELETE \(Self.feed)/publications/\(running)?storefronts=de,sa", anna, ["If-Match: \(ended.tag)"])
            #expect(
                try both.json["detail"]?.string?.contains("Publication \(running) has ended in sa.") == true, "\(both.text)")
            let rest = try await site.expect(.ok, "DELETE \(path)", anna, ["If-Match: \(part.tag)"])
            #expect(try rest.json["spans"]?.count == 0 && rest.json["canceledAt"] != nil)
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', action, jsonb_array_length(before -> 'spans'), jsonb_array_length(after -> 'spans'))
                    FROM vitrine.audit_entries WHERE action LIKE 'publication.%' ORDER BY number
                    """) == [
                        "publication.create 3", "publication.create 3", "publication.cancel 3 1", "publication.cancel 3 3",
                        "publication.cancel 1 0",
                    ])
        }
    }

    @Test("A rollback returns each storefront to its own previous revision, by default where the base started last")
    func rollbacks() async throws {
        try await run { site, anna in
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: Self.other)
            let third = Self.other.replacing("Tonight", with: "Tomorrow")
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: *"], body: third)
            _ = try await publish(site, anna)
            func rollBack(_ body: String?, _ status: Status = .ok) async throws -> Response {
                let tag = try await site.expect(.ok, "GET \(Self.feed)", anna).tag
                return try await site.expect(status, "POST \(Self.feed):rollback", anna, ["If-Match: \(tag)"], body: body)
            }
            func state(_ name: String = "bases") async throws -> [String] {
                revisions(try await site.expect(.ok, "GET \(Self.feed)", anna).json[name])
            }
            #expect(try await state("rollback") == [])
            #expect(try await rollBack(nil, .conflict).code == "noPreviousRevision")
            _ = try await publish(site, anna, #"{"revision":2,"storefronts":["sa"]}"#)
            #expect(try await state("rollback") == ["1 sa"])
            _ = try await publish(site, anna, #"{"revision":3,"replaceLocal":true}"#)
            // The storefronts have shown different revisions before.
            #expect(try await state("rollback") == ["1 de us", "2 sa"])
            let plan = try await site.expect(.ok, "POST \(Self.feed):plan", anna, body: #"{"rollback": {}, "compare": ["us", "sa"]}"#)
            let starts = try plan.json["starts"]?.elements.map { start in
                ([start["fromRevision"]?.integer, start["toRevision"]?.integer].map { "\($0 ?? 0)" }
                    + (start["storefronts"]?.elements.compactMap(\.string) ?? [])).joined(separator: " ")
            }
            #expect(starts == ["3 1 de us", "3 2 sa"], "\(plan.text)")
            let back = try await rollBack(nil)
            #expect(try revisions(back.json["publications"]) == ["1 de us", "2 sa"], "\(back.text)")
            #expect(try await state() == ["1 de us", "2 sa"])
            #expect(
                try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries WHERE action = 'feed.rollback'") == ["2"])
            let named = try await rollBack(#"{"storefronts":["us"],"revision":3}"#)
            #expect(try revisions(named.json["publications"]) == ["3 us"])
            #expect(try await state() == ["1 de", "2 sa", "3 us"])
            // Only the base there started last.
            #expect(try await state("rollback") == ["1 us"])
            #expect(try await rollBack(#"{"storefronts":["xx"]}"#, .unprocessableContent).code == "unknownStorefronts")
            #expect(try await rollBack(#"{"storefronts":[]}"#, .unprocessableContent).code == "invalidDocument")
            #expect(try await rollBack(#"{"revision":9}"#, .notFound).code == "unknownRevision")
            #expect(try await state() == ["1 de", "2 sa", "3 us"])
        }
    }

    @Test("A plan warns of storefronts in which the publication starts now, and of those in which its time is over")
    func findingsAboutTimes() async throws {
        try await run { site, anna in
            // At this time of day, clocks in New York are earlier, and those in Berlin and Riyadh are later.
            let now = try await site.rows("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI')")[0]
            let later = try await site.rows("SELECT to_char(now() AT TIME ZONE 'UTC' + interval '3 days', 'YYYY-MM-DD\"T\"HH24:MI')")[0]
            func plan(_ members: String) async throws -> JSONNode {
                let body = #"{"publish": {"layer": "takeover", \#(members)}, "compare": ["us"]}"#
                return try await site.expect(.ok, "POST \(Self.feed):plan", anna, body: body).json
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
            #expect(findings(over).last?.hasPrefix("NO_SPAN \(now) is over in de") == true, "\(findings(over))")
            // Where the time is over, nothing is published, and everywhere else it is.
            let done = try await publish(
                site, anna, #"{"revision":1,"layer":"takeover","from":"2020-01-01T00:00","until":"\#(now)"}"#)
            #expect(try done.json["publication"]?["spans"]?.elements.map { $0["storefront"]?.string } == ["us"], "\(done.text)")
        }
    }

    @Test(
        "An invalid publication is rejected with its code",
        arguments: [
            (#"{"revision":7}"#, 404, "unknownRevision"), (#"{"revision":1,"from":"2001-01-01T00:00:00Z"}"#, 422, "startInPast"),
            (#"{"revision":1,"storefronts":["us","xx"]}"#, 422, "unknownStorefronts"),
            (#"{"revision":1,"storefronts":[]}"#, 422, "invalidDocument"),
            (#"{"revision":1,"storefronts":["us","us"]}"#, 422, "invalidDocument"),
            (#"{"revision":1,"from":"2099-01-01T18:00:30"}"#, 422, "invalidDocument"),
            (#"{"revision":1,"timeZone":"Europe/Berlin"}"#, 422, "invalidDocument"),
            (#"{"revision":1,"layer":"takeover","from":"2001-01-01T00:00","until":"2001-01-02T00:00"}"#, 422, "invalidEnd"),
            (#"{"revision":1,"layer":"takeover","from":"2099-01-02T00:00","until":"2099-01-02T00:00"}"#, 422, "invalidEnd"),
            (#"{"revision":0}"#, 422, "invalidDocument"),
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
            let new = try await plan(#"{"publish": {}, "compare": ["us", "de"]}"#)
            #expect(new.tag == (try await site.expect(.ok, "GET \(Self.feed)/publications", anna)).tag)
            let first = try new.json
            let start = try #require(first["starts"]?.first)
            #expect(start["fromRevision"] == nil && start["diffLines"] == nil && start["toRevision"]?.integer == 1)
            #expect(first["starts"]?.count == 1 && start["storefronts"]?.elements.compactMap(\.string) == ["de", "sa", "us"])
            #expect(first["layer"]?.string == "base" && start["from"] == nil && first["from"] == nil)
            #expect(
                first["comparisons"]?.elements.flatMap { $0["storefronts"]?.elements.compactMap(\.string) ?? [] }.sorted() == ["de", "us"])
            #expect(first["comparisons"]?.elements.allSatisfy { $0["diffLines"]?.count ?? 0 > 0 } == true)
            _ = try await plan(#"{"rollback": {}}"#, .conflict)

            let done = try await publish(site, anna, #"{"revision":1}"#, .created)
            #expect(try done.json["publication"]?["revision"]?.integer == 1)
            let same = try await plan(#"{"publish": {"revision": 1, "until": "2099-01-01T00:00:00Z"}}"#).json
            let unchanged = same["starts"]?.first
            #expect(unchanged?["fromRevision"]?.integer == 1 && unchanged?["diffLines"]?.count == 0)
            #expect(same["starts"]?.count == 1 && same["layer"]?.string == "takeover")
            #expect(same["comparisons"]?.count == 1 && same["comparisons"]?.first?["diffLines"]?.count == 0 && same["skipped"] == nil)
            let back = try await plan(#"{"rollback": {"revision": 1}, "compare": ["us"]}"#)
            #expect(back.tag == (try await site.expect(.ok, "GET \(Self.feed)", anna)).tag)
            let later = #"{"revision":1,"layer":"takeover","from":"2099-03-06T18:00:00Z","until":"2099-03-06T23:00:00Z"}"#
            _ = try await publish(site, anna, later, .created)
            let night = #"{"publish": {"layer": "takeover", "from": "2099-03-06T20:00:00Z"}, "compare": ["us"]}"#
            let conflict = try #require(try await plan(night).json["conflictingPublications"]?.first)
            #expect(conflict["publication"]?["from"]?.string?.hasPrefix("2099-03-06T18") == true)
            #expect(conflict["storefronts"]?.elements.compactMap(\.string) == ["de", "sa", "us"])
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

    @Test("A publication plan shows a changed layout once, on a screen")
    func changedLayout() async throws {
        try await run { site, anna in
            _ = try await publish(site, anna, #"{"revision":1}"#, .created)
            let draft = try await site.expect(.ok, "GET \(Self.feed)/draft", anna)
            let grid = AdminSite.today.replacing(#"{"list":{}}"#, with: #"{"grid":{"columns":2}}"#)
            #expect(grid != AdminSite.today)
            try await site.expect(.ok, "PUT \(Self.feed)/draft", anna, ["If-Match: \(draft.tag)"], body: grid)
            let plan = try await site.expect(
                .ok, "POST \(Self.feed):plan", anna, body: #"{"publish": {}, "compare": ["us", "de"]}"#
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
