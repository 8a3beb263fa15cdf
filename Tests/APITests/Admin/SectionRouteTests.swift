import Access
import HTTPMessages
import JSON
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The routes of sections, pins and rules", .databaseForEachTest)
struct SectionRouteTests {
    private static let path = "/admin/v1/feeds/today/sections"
    private static let top = #"{"key":"top","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"size":3}"#

    private func run(_ body: @escaping @Sendable (AdminSite, AccessToken, String) async throws -> Void) async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.curate, "anna")
            let draft = try await site.expect(
                .created, "PUT /admin/v1/feeds/today/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            try await body(site, anna, draft.tag)
        }
    }

    private func sections(_ response: Response) throws -> [String?] {
        try response.json["document"]?["sections"]?.elements.map { $0["key"]?.string } ?? []
    }

    @Test("A section is added to the draft, replaced, moved and removed")
    func put() async throws {
        try await run { site, anna, tag in
            let added = try await site.expect(.ok, "PUT \(Self.path)/top", anna, ["If-Match: \(tag)"], body: Self.top)
            #expect(try sections(added) == ["apps", "top"] && added.json["findings"]?.count == 0)
            let visible = try await site.expect(.ok, "GET \(Self.path)/top", anna)
            #expect(try visible.tag == added.tag && visible.json["size"]?.integer == 3)
            try await site.expect(.preconditionFailed, "PUT \(Self.path)/top", anna, ["If-Match: \(tag)"], body: Self.top)
            let moved = try await site.expect(
                .ok, "PUT \(Self.path)/top?position=0", anna, ["If-Match: \(added.tag)"],
                body: Self.top.replacing("\"size\":3", with: "\"size\":4"))
            #expect(try sections(moved) == ["top", "apps"] && moved.json["revision"]?.integer == 3)
            let removed = try await site.expect(.ok, "DELETE \(Self.path)/top", anna, ["If-Match: \(moved.tag)"])
            #expect(try sections(removed) == ["apps"])
            // The document is the same as at first, but it is a revision of its own.
            #expect(try removed.tag == tag && removed.json["revision"]?.integer == 4)
            try await site.expect(.notFound, "GET \(Self.path)/top", anna)
            try await site.expect(.notFound, "DELETE \(Self.path)/top", anna, ["If-Match: *"])
            try await site.expect(.preconditionFailed, "PUT \(Self.path)/top?line=night", anna, ["If-Match: *"], body: Self.top)
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").count == 4)
        }
    }

    @Test("An invalid section is rejected with the pointer of its issue")
    func refusals() async throws {
        try await run { site, anna, _ in
            for (section, pointer) in [
                (Self.top.replacing("\"top\"", with: "\"other\""), "/key"), ("[]", "/key"), ("{", ""),
                (Self.top.replacing("\"size\":3", with: "\"size\":0"), "/sections/1/size"),
                (Self.top.replacing("\"kind\":\"topApp\"", with: "\"kind\":\"topApp\",\"pric\":\"free\""), "/sections/1/rule/pric"),
                (Self.top.replacing("\"kind\":\"topApp\"", with: "\"inSection\":\"below\""), "/sections/1/rule/inSection"),
            ] {
                let response = try await site.expect(.unprocessableContent, "PUT \(Self.path)/top", anna, ["If-Match: *"], body: section)
                #expect(try pointer.isEmpty || response.json["errors"]?.first?["pointer"]?.string == pointer, "\(response.text)")
            }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
        }
    }
}
