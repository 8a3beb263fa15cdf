import Access
import Catalog
import HTTPMessages
import JSON
import Security
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("Experiments and impressions on pages and in changes", .databaseForEachTest)
struct ImpressionRouteTests {
    private static let page = "/v1/us/feeds/today?locale=en&platform=ios"
    private static let sync = "/v1/us/sync?feeds=today&locale=en"
    private static let weekend = "/admin/v1/experiments/weekend"
    private static let today = AdminSite.today.replacing(
        #""size":5}"#,
        with:
            #""size":5},{"key":"new","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"target":{"experiment":{"weekend":["pairs"]}}}"#
    )

    private func site(_ admin: AdminSite) async throws -> ContractSite {
        let site = try await ContractSite(admin)
        let halves = #"{"arms":{"control":[[50,100]],"pairs":[[0,50]]},"default":"control"}"#
        let tag = try await site.curate("PUT \(Self.weekend)", ["If-None-Match: *"], body: halves).tag
        #expect(try await site.curate("POST \(Self.weekend):start", ["If-Match: \(tag)"]).status == .ok)
        try await site.publish(document: Self.today)
        return site
    }

    @Test("The end of an experiment reaches the page and the next changes in one drain")
    func conclusion() async throws {
        try await AdminSite.run { admin in
            let site = try await site(admin)
            let before = try await site.get(Self.page).json
            #expect(before["experiments"]?["weekend"]?["state"]?.string == "running")
            let cursor = try #require(try await site.get(Self.sync).json["cursor"]?.string)
            let tag = try await site.curate("GET \(Self.weekend)").tag
            let response = try await site.curate("POST \(Self.weekend):conclude", ["If-Match: \(tag)"], body: #"{"winner":"pairs"}"#)
            #expect(response.status == .ok)
            try await site.update()
            let page = try await site.get(Self.page).json
            #expect(page["experiments"]?["weekend"]?["arm"]?.string == "pairs")
            #expect(page["sections"]?.elements.map { $0["id"]?.string } == ["today/apps", "today/new"])
            #expect(page["sections"]?.elements.allSatisfy { $0["target"] == nil } == true)
            let delta = try await site.get("\(Self.sync)&cursor=\(cursor)").json
            let changes = delta["changes"]?.elements.map(\.self) ?? []
            #expect(changes.map { $0["kind"]?.string } == ["feed"])
            #expect(changes.first?["data"]?["experiments"]?["weekend"]?["winner"]?.string == "pairs")
            #expect(changes.first?["data"]?["impression"]?.string == page["impression"]?.string)
        }
    }

    @Test("All clients have the impression of a publication, which the server recognizes, with a placement or without")
    func impression() async throws {
        try await AdminSite.run { admin in
            let site = try await site(admin)
            let token = try #require(try await site.get(Self.page).json["impression"]?.string)
            for (client, arm) in [("client-1", "control"), ("6f1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c", "pairs")] {
                let path = "GET /v1/us/feeds/today?form=personal&locale=en"
                let personal = try await site.send(path, [#"Vitrine-Client: id="\#(client)""#]).json
                #expect(personal["impression"]?.string == token && personal["experiments"]?["weekend"]?["arm"]?.string == arm)
                #expect(personal["sections"]?.count == (arm == "pairs" ? 2 : 1))
            }
            let preview = try await site.curate("GET \(ContractSite.feed):preview?storefront=us").json
            #expect(preview["impression"] == nil && preview["sections"]?.count == 1)
            let shown = try await site.curate("GET /admin/v1/impressions/\(token)")
            #expect(shown.status == .ok)
            let publication = try #require(try shown.json["publication"])
            #expect(try shown.json["feed"]?.string == "today" && shown.json["storefront"]?.string == "us")
            #expect(publication["id"]?.integer == (try shown.json["publicationId"]?.integer))
            #expect(publication["revision"]?.integer == (try shown.json["revision"]?.integer))
            let placed = try await site.curate("GET /admin/v1/impressions/\(token)%2Ftoday%2Fapps%2Fk8")
            #expect(try placed.json["placement"]?.string == "today/apps/k8")
            for id in ["x", "\(token)x", String(token.dropLast(2)), "%2F\(token)", "\(token)%2F"] {
                let response = try await site.curate("GET /admin/v1/impressions/\(id)")
                #expect(response.status == .notFound, "\(id)")
            }
            let german = try await site.get("/v1/de/feeds/today?locale=de").json["impression"]?.string
            #expect(german != nil && german != token)
            try await site.publish(document: AdminSite.today)
            #expect(try await site.get(Self.page).json["impression"]?.string != token)
            let later = try await site.curate("GET /admin/v1/impressions/\(token)").json["publication"]
            #expect(later?["id"]?.integer == publication["id"]?.integer)
            #expect(later?["spans"]?.elements.allSatisfy { $0["until"] != nil } == true)
            // Another publication of the same revision is another impression.
            let before = try #require(try await site.get(Self.page).json["impression"]?.string)
            let revision = try #require(try await site.curate("GET /admin/v1/impressions/\(before)").json["revision"]?.integer)
            #expect(try await site.publish(#"{"revision":\#(revision)}"#).status == .created)
            let after = try #require(try await site.get(Self.page).json["impression"]?.string)
            #expect(after != before)
            #expect(try await site.curate("GET /admin/v1/impressions/\(after)").json["revision"]?.integer == revision)
        }
    }

    @Test("An impression of a retired key is gone, and a damaged one is not found")
    func retiredKey() async throws {
        try await AdminSite.run { admin in
            let site = try await site(admin)
            let token = try #require(try await site.get(Self.page).json["impression"]?.string)
            let key = HMACKey.random()
            let other = CursorSigner(code: { key.code(of: $0) }, areEqual: { HMACKey.areEqual($0, $1) })
            let texts = ["1", "us", "today", "1", "1"]
            for id in [other.cursor(at: texts, in: "impression"), "\(other.cursor(at: texts, in: "impression"))%2Ftoday%2Fapps%2Fk8"] {
                let response = try await site.curate("GET /admin/v1/impressions/\(id)")
                #expect(try response.status == .gone && response.code == "keyRetired", "\(response.text)")
                #expect(try response.json["restart"] == nil)
            }
            let damaged = other.cursor(at: texts, in: "impression").dropLast(3)
            #expect(try await site.curate("GET /admin/v1/impressions/\(damaged)").status == .notFound)
            #expect(try await site.curate("GET /admin/v1/impressions/\(token)").status == .ok)
        }
    }

    @Test("After a restore, an impression does not name a later publication that has the ID of its own")
    func restored() async throws {
        try await AdminSite.run { admin in
            let site = try await site(admin)
            let token = try #require(try await site.get(Self.page).json["impression"]?.string)
            func publication() async throws -> Int? {
                let shown = try await site.curate("GET /admin/v1/impressions/\(token)")
                #expect(try shown.status == .ok && shown.json["feed"]?.string == "today")
                return try shown.json["publication"]?["id"]?.integer
            }
            let own = try await publication()
            #expect(own != nil)
            // The publication is older than the end of its epoch, so a restart of the database changes nothing.
            try await admin.sql("SELECT vitrine.begin_epoch(true)")
            #expect(try await publication() == own)
            // A restore has removed the publication, and a later one has its feed, its revision and its ID.
            let later = """
                ALTER TABLE vitrine.publications DISABLE TRIGGER keep_orders;
                UPDATE vitrine.publications SET ordered_at = clock_timestamp();
                ALTER TABLE vitrine.publications ENABLE ALWAYS TRIGGER keep_orders;
                """
            try await admin.sql(later)
            #expect(try await publication() == nil)
            // The backup is older than the epoch of the impression.
            try await admin.sql("DELETE FROM vitrine.sync_epoch WHERE number < (SELECT max(number) FROM vitrine.sync_epoch)")
            #expect(try await publication() == nil)
            try await admin.sql("SELECT vitrine.begin_epoch(true)")
            #expect(try await publication() == own)
        }
    }
}
