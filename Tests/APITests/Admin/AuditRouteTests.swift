import Access
import HTTPMessages
import JSON
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The route of the audit log", .databaseForEachTest)
struct AuditRouteTests {
    @Test("The audit log has each change with its curator, request and both states, and no rejected change")
    func entries() async throws {
        try await AdminSite.run { site in
            let (anna, ben) = (try await site.token(.publish, "anna"), try await site.token(.curate, "ben"))
            let path = "/admin/v1/feeds/today"
            let first = try await site.expect(
                .created, "PUT \(path)/draft", ben, ["If-None-Match: *", "X-Request-Id: r-1"], body: AdminSite.today)
            try await site.expect(.preconditionFailed, "PUT \(path)/draft", ben, ["If-None-Match: *"], body: AdminSite.today)
            let other = AdminSite.today.replacing("Today", with: "Tonight")
            let second = try await site.expect(.ok, "PUT \(path)/draft", anna, ["If-Match: \(first.tag)"], body: other)
            let schedule = try await site.expect(.ok, "GET \(path)/publications", anna).tag
            let order = #"{"revision":2,"layer":"takeover","from":"2099-01-01T00:00:00Z"}"#
            let planned = try await site.expect(.created, "POST \(path)/publications", anna, ["If-Match: \(schedule)"], body: order)
            try await site.expect(.ok, "DELETE \(planned[.location][0])", anna, ["If-Match: \(planned.tag)"])

            let entries = try #require(try await site.expect(.ok, "GET /admin/v1/audit", ben).json["entries"]?.elements.map { $0 })
            #expect(entries.map { $0["action"]?.string } == ["publication.cancel", "publication.create", "draft.save", "draft.save"])
            try #require(entries.count == 4)
            #expect(entries.map { $0["actor"]?["name"]?.string } == ["anna", "anna", "anna", "ben"])
            #expect(entries[3]["requestId"]?.string == "r-1" && entries[3]["before"] == nil)
            #expect(entries[2]["before"]?["hash"]?.string == (try first.json["hash"]?.string))
            #expect(entries[2]["after"]?["hash"]?.string == (try second.json["hash"]?.string))
            #expect(entries[1]["after"]?["until"] == nil && entries[1]["after"]?["layer"]?.string == "takeover")
            #expect(entries[0]["before"]?["id"]?.integer == entries[1]["after"]?["id"]?.integer)
            #expect(entries[1]["after"]?["spans"]?.count == 3 && entries[0]["before"]?["spans"]?.count == 3)
            #expect(entries[0]["after"]?["spans"]?.count == 0 && entries[0]["after"]?["canceledAt"] != nil)

            let byBen = try await site.expect(.ok, "GET /admin/v1/audit?actor=ben&feed=today", ben)
            #expect(try byBen.json["entries"]?.count == 1)
            #expect(try await site.expect(.ok, "GET /admin/v1/audit?since=2099-01-01T00:00:00Z", ben).json["entries"]?.count == 0)
            #expect(try await site.expect(.ok, "GET /admin/v1/audit?feed=games", ben).json["entries"]?.count == 0)
            var numbers: [Int] = []
            var next: String? = "/admin/v1/audit?limit=3"
            while let path = next {
                let response = try await site.expect(.ok, "GET \(path)", ben)
                let page = try response.json
                numbers += page["entries"]?.elements.compactMap { $0["id"]?.integer } ?? []
                next = page["next"]?.string
                #expect(response["link"].first == next.map { "<\($0)>; rel=\"next\"" })
            }
            #expect(numbers == entries.compactMap { $0["id"]?.integer })
            try await site.expect(.badRequest, "GET /admin/v1/audit?cursor=x", ben)
            try await site.expect(.badRequest, "GET /admin/v1/audit?since=yesterday", ben)
        }
    }
}
