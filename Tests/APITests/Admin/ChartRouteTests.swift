import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The admin routes of charts", .databaseForEachTest)
struct ChartRouteTests {
    private static let charts = "/admin/v1/storefronts/us/charts"
    private static let top = "\(charts)/top"
    private static let absent = ["If-None-Match: *"]

    private static func record(_ numbers: [Int], name: String = "top", storefront: String = "us") -> String {
        let items = numbers.map { #""topapp:app-\#($0)""# }.joined(separator: ",")
        return #"{"kind":"chart","storefront":"\#(storefront)","name":"\#(name)","items":[\#(items)]}"#
    }

    @Test("The charts of a storefront are listed by name in pages, with the number of their items")
    func list() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            for (name, items) in [("b", [1, 2]), ("a", []), ("c", [3])] {
                let body = Self.record(items, name: name)
                try await site.expect(.created, "PUT \(Self.charts)/\(name)", anna, Self.absent, body: body)
            }
            try await site.expect(
                .created, "PUT /admin/v1/storefronts/de/charts/a", anna, Self.absent, body: Self.record([1], name: "a", storefront: "de"))
            let reader = try await site.token(.read)
            let all = try await site.expect(.ok, "GET \(Self.charts)", reader)
            #expect(
                all.text == #"{"charts":[{"storefront":"us","name":"a","itemCount":0},{"storefront":"us","name":"b","itemCount":2},"#
                    + #"{"storefront":"us","name":"c","itemCount":1}]}"#)
            let first = try await site.expect(.ok, "GET \(Self.charts)?limit=2", reader).json
            #expect(first["charts"]?.elements.compactMap { $0["name"]?.string } == ["a", "b"])
            let next = try #require(first["next"]?.string)
            #expect(try await site.expect(.ok, "GET \(next)", reader).json["charts"]?.elements.compactMap { $0["name"]?.string } == ["c"])
            // A cursor is valid in its storefront only.
            try await site.expect(.badRequest, "GET \(next.replacing("/us/", with: "/de/"))", reader)
            for path in ["/admin/v1/storefronts/fr/charts", "/admin/v1/storefronts/fr/charts/a"] {
                #expect(try await site.expect(.notFound, "GET \(path)", reader).code == "unknownStorefront")
            }
            #expect(try await site.expect(.notFound, "GET \(Self.charts)/none", reader).code == "unknownChart")
            #expect(try await site.expect(.notFound, "GET /admin/v1/storefronts/US/charts", reader).code == "notFound")
        }
    }

    @Test("A chart is created, replaced and deleted, with the states in the audit log and the outbox")
    func life() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql("DELETE FROM vitrine.sync_outbox")
            let made = try await site.expect(.created, "PUT \(Self.top)", anna, Self.absent, body: Self.record([3, 1, 2]))
            #expect(made.text == Self.record([3, 1, 2]) && made[.location] == [Self.top])
            #expect(try await site.rows("SELECT keys::text FROM vitrine.sync_outbox WHERE kind = 'chart'").contains("{us/top}"))
            let twice = try await site.expect(.preconditionFailed, "PUT \(Self.top)", anna, Self.absent, body: Self.record([1]))
            #expect(try twice.tag == made.tag && twice.json["current"]?["items"]?.count == 3)

            let match = ["If-Match: \(made.tag)"]
            let saved = try await site.expect(.ok, "PUT \(Self.top)", anna, match, body: Self.record([2, 3]))
            #expect(saved.text == Self.record([2, 3]) && saved.tag != made.tag)
            try await site.expect(.preconditionFailed, "PUT \(Self.top)", anna, match, body: Self.record([1]))
            // The IDs of the same items are the same chart.
            let ids = try await site.rows("SELECT item_id::text FROM vitrine.chart_entries ORDER BY rank")
            let byID = #"{"kind":"chart","storefront":"us","name":"top","items":["\#(ids[0])","\#(ids[1])"]}"#
            let same = try await site.expect(.ok, "PUT \(Self.top)", anna, ["If-Match: \(saved.tag)"], body: byID)
            #expect(same.text == saved.text && same.tag == saved.tag)
            // Another slug does not change the chart.
            try await site.sql("UPDATE vitrine.items SET slug = 'renamed' WHERE slug = 'app-2'")
            let renamed = try await site.expect(.ok, "GET \(Self.top)", anna)
            #expect(renamed.text.contains("topapp:renamed") && renamed.tag == saved.tag)

            try await site.expect(.preconditionFailed, "DELETE \(Self.top)", anna, match)
            #expect(try await site.expect(.noContent, "DELETE \(Self.top)", anna, ["If-Match: \(saved.tag)"]).text.isEmpty)
            #expect(try await site.expect(.notFound, "DELETE \(Self.top)", anna, ["If-Match: *"]).code == "unknownChart")
            #expect(try await site.rows("SELECT name FROM vitrine.charts").isEmpty)
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, subject, jsonb_array_length(before -> 'items'), '>', jsonb_array_length(after -> 'items'))
                    FROM vitrine.audit_entries ORDER BY number
                    """) == [
                        "anna chart.save storefronts/us/charts/top > 3", "anna chart.save storefronts/us/charts/top 3 > 2",
                        "anna chart.delete storefronts/us/charts/top 2 >",
                    ])
            #expect(
                try await site.rows(
                    "SELECT after -> 'items' ->> 0 FROM vitrine.audit_entries WHERE before IS NOT NULL AND after IS NOT NULL")
                    == [ids[0]])
        }
    }

    @Test("An invalid record is refused with the pointer of its issue, and changes nothing")
    func invalid() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            for (body, code, pointer) in [
                (Self.record([1, 1]), "invalidDocument", "/items"),
                (Self.record([1]).replacing("topapp:app-1", with: "app-1"), "invalidDocument", "/items/0"),
                (Self.record([1, 99]), "invalidRecord", "/items/1"),
                (Self.record([1], name: "other"), "recordMismatch", "/name"),
                (Self.record([1], storefront: "de"), "recordMismatch", "/storefront"),
                (#"{"kind":"category","key":"top","title":"Top"}"#, "recordMismatch", "/kind"),
            ] {
                let response = try await site.expect(.unprocessableContent, "PUT \(Self.top)", anna, Self.absent, body: body)
                let pointers = try response.json["errors"]?.elements.compactMap { $0["pointer"]?.string }
                #expect(try response.code == code && pointers == [pointer], "\(response.text)")
            }
            // An item by its slug and by its ID is the same item.
            let id = try #require(try await site.rows("SELECT id::text FROM vitrine.items WHERE slug = 'app-1'").first)
            let twice = Self.record([1]).replacing("]", with: #","\#(id)"]"#)
            let response = try await site.expect(.unprocessableContent, "PUT \(Self.top)", anna, Self.absent, body: twice)
            #expect(try response.code == "invalidRecord", "\(response.text)")
            let line = "PUT /admin/v1/storefronts/fr/charts/top"
            let body = Self.record([1], storefront: "fr")
            #expect(try await site.expect(.notFound, line, anna, Self.absent, body: body).code == "unknownStorefront")
            #expect(try await site.rows("SELECT name FROM vitrine.charts").isEmpty)
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").isEmpty)
        }
    }

    @Test("A creation does not replace a chart that an import creates at the same time, and a save waits for an import")
    func importRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            func during(_ statement: String, _ line: String, _ fields: [String]) async throws -> Response {
                try await site.pool.withConnection(until: .soon) { connection in
                    try await connection.runScript("import", "BEGIN; \(statement)", until: .soon)
                    async let change = site.send(line, anna, fields, body: Self.record([1]))
                    try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                    try await connection.runScript("commit", "COMMIT", until: .soon)
                    return try await change
                }
            }
            let creation = try await during("INSERT INTO vitrine.charts VALUES ('us', 'top')", "PUT \(Self.top)", Self.absent)
            #expect(try creation.status == .conflict && creation.code == "conflict", "\(creation.text)")
            #expect(try await site.rows("SELECT chart FROM vitrine.chart_entries").isEmpty)

            let tag = try await site.expect(.ok, "GET \(Self.top)", anna).tag
            let stale = try await during(
                """
                SELECT FROM vitrine.charts WHERE name = 'top' FOR NO KEY UPDATE;
                INSERT INTO vitrine.chart_entries (storefront, chart, rank, item_id) SELECT 'us', 'top', 1, id FROM vitrine.items LIMIT 1;
                """, "PUT \(Self.top)", ["If-Match: \(tag)"])
            #expect(try stale.status == .preconditionFailed && stale.json["current"]?["items"]?.count == 1, "\(stale.text)")
        }
    }

    @Test("A repeated change with an Idempotency-Key runs once, and has the same response each time")
    func again() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let fields = Self.absent + ["Idempotency-Key: once"]
            let first = try await site.expect(.created, "PUT \(Self.top)", anna, fields, body: Self.record([1]))
            let second = try await site.expect(.created, "PUT \(Self.top)", anna, fields, body: Self.record([1]))
            #expect(first.text == second.text && first.tag == second.tag)
            let deletion = ["If-Match: \(first.tag)", "Idempotency-Key: twice"]
            for _ in 1...2 { try await site.expect(.noContent, "DELETE \(Self.top)", anna, deletion) }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }
}
