import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of publications", .databaseForEachTest)
struct PublicationRouteTests {
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

    @Test("A revision is published immediately, listed in the schedule, and rolled back")
    func publications() async throws {
        try await AdminSite.withDraft { site, anna in
            let first = try await site.publish(anna)
            let id = try #require(try first.json["publication"]?["id"]?.integer)
            #expect(first[.location] == ["\(AdminSite.feed)/publications/\(id)"])
            #expect(first.tag == (try await site.expect(.ok, "GET \(first[.location][0])", anna).tag))
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight)
            _ = try await site.publish(anna, #"{"revision":2}"#)
            let state = try await site.expect(.ok, "GET \(AdminSite.feed)", anna)
            #expect(try state.json["live"]?.first?["revision"]?.integer == 2 && state.json["draft"]?["revision"]?.integer == 2)
            #expect(
                try await site.expect(.ok, "GET /admin/v1/feeds", anna).json["feeds"]?.first?["live"]?.first?["revision"]?.integer == 2)

            let visible = try await site.expect(.ok, "GET \(AdminSite.feed)", anna)
            #expect(try revisions(visible.json["bases"]) == ["2 de sa us"] && revisions(visible.json["rollback"]) == ["1 de sa us"])
            let back = try await site.expect(.ok, "POST \(AdminSite.feed):rollback", anna, ["If-Match: \(state.tag)"])
            #expect(try back.json["publications"]?.elements.map { $0["revision"]?.integer } == [1])
            let stale = try await site.expect(.preconditionFailed, "POST \(AdminSite.feed):rollback", anna, ["If-Match: \(state.tag)"])
            #expect(try stale.json["current"]?["live"]?.first?["revision"]?.integer == 1)
            #expect(stale.tag == (try await site.expect(.ok, "GET \(AdminSite.feed)", anna).tag))
            let named = try await site.expect(
                .ok, "POST \(AdminSite.feed):rollback", anna, ["If-Match: \(stale.tag)"], body: #"{"revision":2}"#)
            #expect(try named.json["publications"]?.elements.map { $0["revision"]?.integer } == [2])
            let all = try await site.expect(.ok, "GET \(AdminSite.feed)/publications?since=2000-01-01T00:00:00Z", anna)
            #expect(try all.json["publications"]?.count == 4)
            #expect(try await site.expect(.ok, "GET \(AdminSite.feed)/publications", anna).json["publications"]?.count == 1)
        }
    }

    @Test("The pages of a schedule have each publication once, and those of the current schedule have its ETag")
    func pages() async throws {
        try await AdminSite.withDraft { site, anna in
            var ids: [Int] = []
            for year in 2097...2099 {
                let night = #"{"revision":1,"layer":"takeover","from":"\#(year)-03-06T18:00:00Z","until":"\#(year)-03-06T23:00:00Z"}"#
                ids.append(try #require(try await site.publish(anna, night).json["publication"]?["id"]?.integer))
            }
            for _ in 1...2 { ids.append(try #require(try await site.publish(anna).json["publication"]?["id"]?.integer)) }
            let list = "\(AdminSite.feed)/publications"
            let tag = try await site.expect(.ok, "GET \(list)", anna).tag
            // The first of the two bases has ended.
            for (query, expected) in [("", ids.filter { $0 != ids[3] }), ("since=2000-01-01T00:00:00Z&", ids)] {
                var listed: [Int] = []
                var next: String? = "\(list)?\(query)limit=2"
                while let path = next {
                    let response = try await site.expect(.ok, "GET \(path)", anna)
                    let page = try response.json
                    #expect(response.tag == (query.isEmpty ? tag : ""))
                    #expect(page["publications"]?.elements.allSatisfy { $0["spans"]?.count == 3 } == true)
                    listed += page["publications"]?.elements.compactMap { $0["id"]?.integer } ?? []
                    next = page["next"]?.string
                    #expect(response["link"] == next.map { ["<\($0)>; rel=\"next\""] } ?? [])
                }
                #expect(listed == expected, "\(query)")
            }
            let first = try await site.expect(.ok, "GET \(list)?limit=1", anna).json["next"]?.string
            let other = try #require(first).replacing("?", with: "?since=2000-01-01T00:00:00Z&")
            #expect(try await site.expect(.badRequest, "GET \(other)", anna).code == "cursorMismatch")
        }
    }

    @Test("A takeover is scheduled with its end, rejects an overlapping one, and is canceled")
    func takeovers() async throws {
        try await AdminSite.withDraft { site, anna in
            let night = #"{"revision":1,"layer":"takeover","from":"2099-03-06T18:00:00+01:00","until":"2099-03-06T23:00:00+01:00"}"#
            let planned = try await site.publish(anna, night)
            #expect(try planned.json["publication"]?["until"]?.string == "2099-03-06T22:00:00.000000Z")
            let refused = try await site.publish(anna, night, .conflict)
            #expect(
                try refused.code == "publicationOverlap"
                    && conflicting(refused) == ["\(planned.json["publication"]?["id"]?.integer ?? 0) de sa us"], "\(refused.text)")
            let path = planned[.location][0]
            try await site.expect(.notFound, "DELETE \(path.replacing("today", with: "games"))", anna, ["If-Match: *"])
            let canceled = try await site.expect(.ok, "DELETE \(path)", anna, ["If-Match: \(planned.tag)"])
            #expect(try canceled.json["canceledAt"] != nil && canceled.json["spans"]?.count == 0, "\(canceled.text)")
            #expect(try await site.expect(.ok, "GET \(path)", anna).tag == canceled.tag)
            #expect(try await site.expect(.ok, "GET \(AdminSite.feed)/publications", anna).json["publications"]?.count == 0)
            try await site.expect(.preconditionFailed, "DELETE \(path)", anna, ["If-Match: \(planned.tag)"])
            let again = try await site.expect(.conflict, "DELETE \(path)", anna, ["If-Match: \(canceled.tag)"])
            #expect(try again.code == "publicationEnded")

            let running = try await site.publish(anna, #"{"revision":1,"layer":"takeover"}"#)
            let ended = try await site.expect(.ok, "DELETE \(running[.location][0])", anna, ["If-Match: \(running.tag)"])
            #expect(try ended.json["until"] == nil && ended.json["canceledAt"] != nil)
            #expect(try ended.json["spans"]?.elements.compactMap { $0["until"]?.string }.count == 3, "\(ended.text)")
            let over = try await site.expect(.conflict, "DELETE \(running[.location][0])", anna, ["If-Match: \(ended.tag)"])
            #expect(try over.code == "publicationEnded")
        }
    }

    @Test("A wall clock is another instant in each storefront, also in a night in which clocks change")
    func wallClocks() async throws {
        try await AdminSite.withDraft { site, anna in
            // On 2098-03-30, clocks in Berlin skip 02:30.
            let order = #"{"revision":1,"layer":"takeover","from":"2098-03-30T02:30","until":"2098-03-30T12:00:00Z"}"#
            let done = try await site.publish(anna, order)
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
        try await AdminSite.withDraft { site, anna in
            func takeover(_ storefronts: String, _ from: Int, _ until: Int, _ status: Status = .created) async throws -> Response {
                let times = #""from":"2099-03-0\#(from)T18:00","until":"2099-03-0\#(until)T18:00""#
                return try await site.publish(
                    anna, #"{"revision":1,"layer":"takeover",\#(storefronts)\#(times)}"#, status)
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
            // All of the publications in a storefront are listed.
            let later = try await takeover(#""storefronts":["us"],"#, 6, 7).json["publication"]?["id"]?.integer ?? 0
            #expect(try conflicting(try await takeover(#""storefronts":["us"],"#, 4, 8, .conflict)) == ["\(second) us", "\(later) us"])
        }
    }

    @Test("Of takeovers at the same time, both are published in separate storefronts, and else one has a conflict in the shared ones")
    func races() async throws {
        let cases: [(first: [String], second: [String], shared: [String])] = [
            (["sa"], ["us"], []), (["de", "sa"], ["us", "de"], ["de"]), (["us", "de", "sa"], ["sa", "us"], ["sa", "us"]),
        ]
        try await AdminSite.withDraft { site, anna in
            try await site.pool.withConnection(until: .soon) { connection in
                for (index, race) in cases.enumerated() {
                    func order(_ storefronts: [String]) -> String {
                        let (day, list) = ("2099-03-0\(index + 1)", storefronts.map { "\"\($0)\"" }.joined(separator: ","))
                        return
                            #"{"revision":1,"layer":"takeover","storefronts":[\#(list)],"from":"\#(day)T06:00:00Z","until":"\#(day)T18:00:00Z"}"#
                    }
                    let (first, second) = (order(race.first), order(race.second))
                    // Both wait for the feed, so that they start together.
                    try await connection.runScript(
                        "hold", "BEGIN; SELECT FROM vitrine.feeds WHERE key = 'today' FOR UPDATE", until: .soon)
                    async let one = site.send("POST \(AdminSite.feed)/publications", anna, ["If-Match: *"], body: first)
                    async let other = site.send("POST \(AdminSite.feed)/publications", anna, ["If-Match: *"], body: second)
                    try await wait(while: try await site.rows(LockWaits.sql).count < 2)
                    try await connection.runScript("release", "COMMIT", until: .soon)
                    let responses = try await [one, other]
                    let created = responses.filter { $0.status == .created }
                    let refused = responses.filter { $0.status == .conflict }
                    #expect(
                        created.count == (race.shared.isEmpty ? 2 : 1) && created.count + refused.count == 2, "\(responses.map(\.text))")
                    for response in refused {
                        let id = try created.first?.json["publication"]?["id"]?.integer ?? 0
                        let places = race.shared.joined(separator: " ")
                        #expect(
                            try response.code == "publicationOverlap" && conflicting(response) == ["\(id) \(places)"], "\(response.text)")
                    }
                }
                #expect(try await site.rows("SELECT count(*)::text FROM vitrine.publications") == ["4"])
            }
        }
    }

    @Test("A publication for all replaces the base of some storefronts only with replaceLocal")
    func localBases() async throws {
        try await AdminSite.withDraft { site, anna in
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight)
            _ = try await site.publish(anna)
            let local = try await site.publish(anna, #"{"revision":2,"storefronts":["sa"]}"#).json["publication"]?["id"]?.integer
            func state() async throws -> [String] { revisions(try await site.expect(.ok, "GET \(AdminSite.feed)", anna).json["bases"]) }
            #expect(try await state() == ["1 de us", "2 sa"])
            let refused = try await site.publish(anna, #"{"revision":2}"#, .conflict)
            #expect(try refused.code == "localBase" && conflicting(refused) == ["\(local ?? 0) sa"], "\(refused.text)")
            let plan = try await site.expect(
                .ok, "POST \(AdminSite.feed):plan", anna, body: #"{"publish": {"revision": 1}, "compare": ["us"]}"#
            ).json
            let bases = try #require(plan["localBases"]?.first)
            #expect(plan["localBases"]?.count == 1 && bases["storefronts"]?.elements.map { $0.string } == ["sa"])
            #expect(bases["publication"]?["id"]?.integer == local && plan["conflictingPublications"] == nil)
            // Other listed storefronts do not touch it.
            _ = try await site.publish(anna, #"{"revision":2,"storefronts":["us"]}"#)
            #expect(try await state() == ["1 de", "2 sa us"])
            let replacing = try await site.publish(anna, #"{"revision":1,"replaceLocal":true}"#).json["publication"]
            #expect(try await state() == ["1 de sa us"])
            #expect(replacing?["replaceLocal"] != nil && bases["publication"]?["replaceLocal"] == nil)
            // A storefront that is opened again depends on it, so that the audit log has it too.
            let audited = "SELECT count(*)::text FROM vitrine.audit_entries WHERE after -> 'replaceLocal' = 'true'"
            #expect(try await site.rows(audited) == ["1"])
            // That base is for all, so another one replaces it.
            _ = try await site.publish(anna, #"{"revision":2}"#)
            #expect(try await state() == ["2 de sa us"])
        }
    }

    @Test("A publication is canceled in some storefronts, and stays in the others")
    func cancellation() async throws {
        try await AdminSite.withDraft { site, anna in
            _ = try await site.publish(anna)
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight)
            let planned = try await site.publish(anna, #"{"revision":2,"from":"2099-03-01T18:00:00Z"}"#)
            let path = planned[.location][0]
            for query in ["storefronts=", "storefronts=us,us", "storefronts=us,", "storefront=us"] {
                try await site.expect(.badRequest, "DELETE \(path)?\(query)", anna, ["If-Match: \(planned.tag)"])
            }
            let part = try await site.expect(.ok, "DELETE \(path)?storefronts=us,sa", anna, ["If-Match: \(planned.tag)"])
            #expect(try spans(part.json) == ["de 2099-03-01T18:00:00.000000Z "] && part.json["canceledAt"] == nil, "\(part.text)")
            // The base before it lasts until further notice again.
            let base = try #require(try await site.expect(.ok, "GET \(AdminSite.feed)/publications", anna).json["publications"]?.first)
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
                .ok, "DELETE \(AdminSite.feed)/publications/\(running)?storefronts=sa", anna, ["If-Match: *"])
            let both = try await site.expect(
                .conflict, "DELETE \(AdminSite.feed)/publications/\(running)?storefronts=de,sa", anna, ["If-Match: \(ended.tag)"])
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

    @Test("A rollback returns each storefront to its own previous revision, by default where the base has the latest start")
    func rollbacks() async throws {
        try await AdminSite.withDraft { site, anna in
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight)
            let third = AdminSite.tonight.replacing("Tonight", with: "Tomorrow")
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: third)
            _ = try await site.publish(anna)
            func rollBack(_ body: String?, _ status: Status = .ok) async throws -> Response {
                let tag = try await site.expect(.ok, "GET \(AdminSite.feed)", anna).tag
                return try await site.expect(status, "POST \(AdminSite.feed):rollback", anna, ["If-Match: \(tag)"], body: body)
            }
            func state(_ name: String = "bases") async throws -> [String] {
                revisions(try await site.expect(.ok, "GET \(AdminSite.feed)", anna).json[name])
            }
            #expect(try await state("rollback") == [])
            #expect(try await rollBack(nil, .conflict).code == "noPreviousRevision")
            _ = try await site.publish(anna, #"{"revision":2,"storefronts":["sa"]}"#)
            #expect(try await state("rollback") == ["1 sa"])
            _ = try await site.publish(anna, #"{"revision":3,"replaceLocal":true}"#)
            // The storefronts have shown different revisions before.
            #expect(try await state("rollback") == ["1 de us", "2 sa"])
            let plan = try await site.expect(.ok, "POST \(AdminSite.feed):plan", anna, body: #"{"rollback": {}, "compare": ["us", "sa"]}"#)
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

    @Test("A rollback computes its targets for the time at which it checks the state of the feed")
    func rollbackDuringSwitch() async throws {
        try await AdminSite.withDraft { site, anna in
            try await site.expect(.ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight)
            for revision in [1, 2] { _ = try await site.publish(anna, #"{"revision":\#(revision)}"#) }
            // Records the time of each computation. No session has prepared a query for the renamed function.
            try await site.sql(
                """
                CREATE TABLE vitrine.computations (present timestamptz NOT NULL);
                ALTER FUNCTION vitrine.rollback_targets(text, text[], integer, timestamptz) RENAME TO targets_at;
                CREATE FUNCTION vitrine.rollback_targets(of_feed text, in_storefronts text[], to_revision integer, present timestamptz)
                    RETURNS TABLE (revision integer, storefronts text[]) LANGUAGE plpgsql
                AS $$
                BEGIN
                    INSERT INTO vitrine.computations VALUES (present);
                    RETURN QUERY SELECT * FROM vitrine.targets_at(of_feed, in_storefronts, to_revision, present);
                END
                $$
                """)
            let back = try await site.expect(.ok, "POST \(AdminSite.feed):rollback", anna, ["If-Match: *"])
            #expect(try back.json["publications"]?.elements.map { $0["revision"]?.integer } == [1])
            // One for the tag, and one for the publication.
            let times = try await site.rows("SELECT concat_ws(' ', count(*), count(DISTINCT present)) FROM vitrine.computations")
            #expect(times == ["2 1"])
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
        try await AdminSite.withDraft { site, anna in
            try await site.expect(
                .ok, "PUT \(AdminSite.feed)/draft", anna, ["If-Match: *"], body: AdminSite.tonight.replacing("app-9", with: "app-99"))
            let response = try await site.publish(anna, order, Status(rawValue: status))
            #expect(try response.code == code, "\(response.text)")
            if code == "reviewFailed" { #expect(try response.json["findings"]?.first?["code"]?.string == "UNKNOWN_ITEM") }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.publications") == ["0"])
        }
    }
}
