import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The admin routes of storefronts", .databaseForEachTest)
struct StorefrontRouteTests {
    private static let storefronts = "/admin/v1/storefronts"
    private static let france = "\(storefronts)/fr"
    private static let record =
        #"{"kind":"storefront","key":"fr","currency":"EUR","timeZone":"Europe/Paris","locales":["fr","en"],"defaultLocale":"fr","#
        + #""ratingScheme":"apple-2015"}"#
    private static let absent = ["If-None-Match: *"]

    @Test("Storefronts are listed by key, and each one has the record of a catalog file")
    func list() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            let all = try await site.expect(.ok, "GET \(Self.storefronts)", reader).json["storefronts"]
            #expect(all?.elements.compactMap { $0["record"]?["key"]?.string } == ["de", "sa", "us"])
            let germany = try await site.expect(.ok, "GET \(Self.storefronts)/de", reader)
            #expect(
                germany.text == #"{"record":{"kind":"storefront","key":"de","currency":"EUR","timeZone":"Europe/Berlin","#
                    + #""locales":["de","en"],"defaultLocale":"de","ratingScheme":"apple-2015"}}"#)
            #expect(!germany.tag.isEmpty)
            #expect(try await site.expect(.notFound, "GET \(Self.france)", reader).code == "unknownStorefront")
            try await site.expect(.badRequest, "GET \(Self.storefronts)?limit=1", reader)
        }
    }

    @Test("A storefront is created, replaced, closed and deleted, with the states in the audit log and the outbox")
    func life() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.admin, "anna")
            try await site.sql("DELETE FROM vitrine.sync_outbox")
            let short = Self.record.replacing(#","ratingScheme":"apple-2015""#, with: "")
            let made = try await site.expect(.created, "PUT \(Self.france)", anna, Self.absent, body: short)
            #expect(made.text == #"{"record":\#(Self.record)}"# && made[.location] == [Self.france])
            #expect(try await site.rows("SELECT keys::text FROM vitrine.sync_outbox WHERE kind = 'storefront'").contains("{fr}"))
            let twice = try await site.expect(.preconditionFailed, "PUT \(Self.france)", anna, Self.absent, body: Self.record)
            #expect(try twice.tag == made.tag && twice.json["current"]?["record"]?["key"]?.string == "fr")

            let other = Self.record.replacing(#"["fr","en"]"#, with: #"["en","de","fr"]"#)
                .replacing("apple-2015", with: "pegi")
            let saved = try await site.expect(.ok, "PUT \(Self.france)", anna, ["If-Match: \(made.tag)"], body: other)
            #expect(saved.text == #"{"record":\#(other)}"# && saved.tag != made.tag)
            try await site.expect(.preconditionFailed, "PUT \(Self.france)", anna, ["If-Match: \(made.tag)"], body: other)
            let kept = try await site.expect(
                .ok, "PUT \(Self.france)", anna, ["If-Match: \(saved.tag)"],
                body: other.replacing(#","ratingScheme":"pegi""#, with: ""))
            #expect(kept.text == saved.text && kept.tag == saved.tag)
            try await site.expect(.preconditionFailed, "POST \(Self.france):close", anna, ["If-Match: \(made.tag)"])

            let closed = try await site.expect(.ok, "POST \(Self.france):close", anna, ["If-Match: \(saved.tag)"])
            #expect(try closed.json["closedAt"]?.string != nil && closed.tag != saved.tag)
            let again = try await site.expect(.ok, "POST \(Self.france):close", anna, ["If-Match: \(closed.tag)"])
            #expect(again.text == closed.text)
            let refused = try await site.expect(.conflict, "PUT \(Self.france)", anna, ["If-Match: *"], body: Self.record)
            #expect(try refused.code == "storefrontClosed")
            try await site.expect(.preconditionFailed, "POST \(Self.france):open", anna, ["If-Match: \(saved.tag)"])
            for _ in 1...2 {
                let opened = try await site.expect(.ok, "POST \(Self.france):open", anna, ["If-Match: *"])
                #expect(opened.text == saved.text && opened.tag == saved.tag)
            }
            let reclosed = try await site.expect(.ok, "POST \(Self.france):close", anna, ["If-Match: \(saved.tag)"])
            let list = try await site.expect(.ok, "GET \(Self.storefronts)", anna).json["storefronts"]?.elements.map { $0 } ?? []
            #expect(list.filter { $0["closedAt"] != nil }.map { $0["record"]?["key"]?.string } == ["fr"])

            #expect(try await site.expect(.noContent, "DELETE \(Self.france)", anna, ["If-Match: \(reclosed.tag)"]).text.isEmpty)
            for verb in ["close", "open"] {
                let missing = try await site.expect(.notFound, "POST \(Self.france):\(verb)", anna, ["If-Match: *"])
                #expect(try missing.code == "unknownStorefront")
            }
            #expect(try await site.rows("SELECT locale FROM vitrine.storefront_locales WHERE storefront = 'fr'").isEmpty)
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, subject, before #>> '{record,locales,0}', '>', after #>> '{record,locales,0}')
                    FROM vitrine.audit_entries ORDER BY number
                    """) == [
                        "anna storefront.save storefronts/fr > fr", "anna storefront.save storefronts/fr fr > en",
                        "anna storefront.close storefronts/fr en > en", "anna storefront.open storefronts/fr en > en",
                        "anna storefront.close storefronts/fr en > en", "anna storefront.delete storefronts/fr en >",
                    ])
        }
    }

    @Test("A new or opened storefront has a finding for each takeover that has no span there, also in the audit log")
    func missingSpans() async throws {
        try await AdminSite.withDraft { site, anna in
            let admin = try await site.token(.admin)
            let sydney = "\(Self.storefronts)/au"
            let record = Self.record.replacing(#""key":"fr""#, with: #""key":"au""#).replacing("Europe/Paris", with: "Australia/Sydney")
            // Only on the clock of Sydney, the second takeover overlaps the first one.
            func publish(on day: String) async throws -> [Int] {
                var ids: [Int] = []
                for (from, until) in [("T00:00:00Z", "T06:00:00Z"), ("T12:00", "T14:00")] {
                    let body = #"{"revision":1,"layer":"takeover","from":"\#(day)\#(from)","until":"\#(day)\#(until)"}"#
                    ids.append(try #require(try await site.publish(anna, body).json["publication"]?["id"]?.integer))
                }
                return ids
            }
            func expect(_ response: Response, _ ids: [Int], at location: SourceLocation = #_sourceLocation) async throws {
                let findings = try response.json["findings"]?.elements.map { $0 } ?? []
                let message =
                    "publication \(ids[1]) of 'today' has no period in au, because publication \(ids[0]) occupies the period there"
                #expect(findings.map { $0["message"]?.string } == [message], "\(response.text)", sourceLocation: location)
                #expect(findings.map { $0["code"]?.string } == ["NO_SPAN"], sourceLocation: location)
                // They are no part of the state.
                let state = try await site.expect(.ok, "GET \(sydney)", admin)
                #expect(try state.tag == response.tag && state.json["findings"] == nil, sourceLocation: location)
            }
            let first = try await publish(on: "2090-01-01")
            let made = try await site.expect(.created, "PUT \(sydney)", admin, Self.absent, body: record)
            try await expect(made, first)
            let other = record.replacing(#"["fr","en"]"#, with: #"["en","fr"]"#)
            let saved = try await site.expect(.ok, "PUT \(sydney)", admin, ["If-Match: \(made.tag)"], body: other)
            #expect(try saved.json["findings"] == nil)
            let closed = try await site.expect(.ok, "POST \(sydney):close", admin, ["If-Match: \(saved.tag)"])
            #expect(try closed.json["findings"] == nil)
            let second = try await publish(on: "2090-02-01")
            let opened = try await site.expect(.ok, "POST \(sydney):open", admin, ["If-Match: \(closed.tag)"])
            try await expect(opened, second)
            // Opening it again changes nothing, so there are no findings.
            #expect(try await site.expect(.ok, "POST \(sydney):open", admin, ["If-Match: *"]).json["findings"] == nil)
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', action, before #>> '{findings,0,code}', '>', after #>> '{findings,0,code}')
                    FROM vitrine.audit_entries WHERE subject = 'storefronts/au' ORDER BY number
                    """) == ["storefront.save >", "storefront.save >", "storefront.close >", "storefront.open >"])
        }
    }

    @Test("An invalid record is refused with the pointer of its issue, and changes nothing")
    func invalid() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.admin, "anna")
            for (part, other, code, pointer) in [
                (#""EUR""#, #""Euro""#, "invalidDocument", "/currency"), (#":["fr","en"]"#, ":[]", "invalidDocument", "/locales"),
                (#""defaultLocale":"fr""#, #""defaultLocale":"de""#, "invalidDocument", "/defaultLocale"),
                ("Europe/Paris", "Europe/Lutetia", "invalidRecord", "/timeZone"),
                ("apple-2015", "mpaa", "invalidRecord", "/ratingScheme"), ("apple-2015", "MPAA", "invalidDocument", "/ratingScheme"),
                (#""key":"fr""#, #""key":"it""#, "recordMismatch", "/key"),
            ] {
                let body = Self.record.replacing(part, with: other)
                let response = try await site.expect(.unprocessableContent, "PUT \(Self.france)", anna, Self.absent, body: body)
                let pointers = try response.json["errors"]?.elements.compactMap { $0["pointer"]?.string }
                #expect(try response.code == code && pointers == [pointer], "\(response.text)")
            }
            // The currency of a storefront with prices.
            try await site.sql(
                "INSERT INTO vitrine.item_prices VALUES ((SELECT id FROM vitrine.items WHERE slug = 'app-1'), 'us', 'price', 99, 'USD')")
            let us = try await site.expect(.ok, "GET \(Self.storefronts)/us", anna)
            let record = try #require(try us.json["record"])
            let body = String(decoding: try JSONValue(record).json(), as: UTF8.self).replacing("USD", with: "CAD")
            let response = try await site.expect(
                .unprocessableContent, "PUT \(Self.storefronts)/us", anna, ["If-Match: \(us.tag)"], body: body)
            #expect(try response.code == "invalidRecord" && response.json["errors"]?.first?["pointer"]?.string == "/currency")
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").isEmpty)
            #expect(try await site.rows("SELECT key FROM vitrine.storefronts ORDER BY key") == ["de", "sa", "us"])
        }
    }

    @Test("A storefront with charts, prices or availability cannot be deleted, and the response has their numbers")
    func notEmpty() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.admin, "anna")
            try await site.sql(
                """
                INSERT INTO vitrine.charts (storefront, name) VALUES ('de', 'top');
                INSERT INTO vitrine.item_prices
                SELECT id, 'de', 'price', 99, 'EUR' FROM vitrine.items WHERE slug IN ('app-1', 'app-2');
                """)
            let both = try await site.expect(.conflict, "DELETE \(Self.storefronts)/de", anna, ["If-Match: *"])
            #expect(try both.code == "storefrontNotEmpty")
            #expect(try both.json["itemCount"]?.integer == 2 && both.json["chartCount"]?.integer == 1)
            try await site.sql("DELETE FROM vitrine.item_prices")
            let charts = try await site.expect(.conflict, "DELETE \(Self.storefronts)/de", anna, ["If-Match: *"])
            #expect(try charts.json["itemCount"]?.integer == 0 && charts.json["chartCount"]?.integer == 1)
            try await site.sql("DELETE FROM vitrine.charts")
            // A price can exist for some time only.
            try await site.sql(
                """
                INSERT INTO vitrine.item_price_periods
                SELECT id, 'de', 'price', '[2026-01-01,2027-01-01)', 60, 'EUR', 80 FROM vitrine.items WHERE slug = 'app-1'
                """)
            let periods = try await site.expect(.conflict, "DELETE \(Self.storefronts)/de", anna, ["If-Match: *"])
            #expect(try periods.code == "storefrontNotEmpty" && periods.json["itemCount"]?.integer == 1)
            try await site.sql("DELETE FROM vitrine.item_price_periods")
            try await site.expect(.noContent, "DELETE \(Self.storefronts)/de", anna, ["If-Match: *"])
        }
    }

    @Test("Clients get 404 from a closed storefront, and a storefront that they saw cannot be deleted")
    func closing() async throws {
        try await AdminSite.run { admin in
            let site = try await ContractSite(admin)
            let paths = [
                "/v1/us/feeds", "/v1/us/feeds/today", "/v1/us/items", "/v1/us/items/topapp:app-1", "/v1/us/categories", "/v1/us/sync",
                "/v1/us/sync/head",
            ]
            for path in paths { #expect(try await site.get(path).status == .ok, "\(path)") }
            let shown = try await site.curate("DELETE \(Self.storefronts)/us", ["If-Match: *"])
            #expect(try shown.status == .conflict && shown.code == "storefrontShown")

            #expect(try await site.curate("POST \(Self.storefronts)/us:close", ["If-Match: *"]).status == .ok)
            try await site.update()
            for path in paths {
                let response = try await site.get(path)
                #expect(try response.status == .notFound && response.code == "unknownStorefront", "\(path): \(response.text)")
            }
            let open = try await site.get("/v1/storefronts").json["storefronts"]?.elements.compactMap { $0["key"]?.string }
            #expect(open == ["de", "sa"])
            #expect(try await site.get("/v1/de/feeds/today").status == .ok)
            let closed = try await site.curate("DELETE \(Self.storefronts)/us", ["If-Match: *"])
            #expect(try closed.code == "storefrontShown")

            // Opened again, it responds as before.
            #expect(try await site.curate("POST \(Self.storefronts)/us:open", ["If-Match: *"]).status == .ok)
            try await site.update()
            for path in paths { #expect(try await site.get(path).status == .ok, "\(path)") }
            #expect(try await site.get("/v1/storefronts").json["storefronts"]?.count == 3)
        }
    }

    @Test("Changes of storefronts require the scope admin")
    func scope() async throws {
        try await AdminSite.run { site in
            let publisher = try await site.token(.publish)
            for line in [
                "PUT \(Self.france)", "DELETE \(Self.storefronts)/us", "POST \(Self.storefronts)/us:close",
                "POST \(Self.storefronts)/us:open",
            ] {
                let response = try await site.expect(.forbidden, line, publisher, ["If-Match: *"], body: line.hasPrefix("PUT") ? "{}" : nil)
                #expect(try response.code == "insufficientScope", "\(line)")
            }
        }
    }

    @Test("A repeated change with an Idempotency-Key runs once, and has the same response each time")
    func again() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.admin, "anna")
            let fields = Self.absent + ["Idempotency-Key: once"]
            let first = try await site.expect(.created, "PUT \(Self.france)", anna, fields, body: Self.record)
            let second = try await site.expect(.created, "PUT \(Self.france)", anna, fields, body: Self.record)
            #expect(first.text == second.text && first.tag == second.tag)
            let close = ["If-Match: \(first.tag)", "Idempotency-Key: twice"]
            let closed = try await site.expect(.ok, "POST \(Self.france):close", anna, close)
            #expect(try await site.expect(.ok, "POST \(Self.france):close", anna, close).text == closed.text)
            let deletion = ["If-Match: \(closed.tag)", "Idempotency-Key: thrice"]
            for _ in 1...2 { try await site.expect(.noContent, "DELETE \(Self.france)", anna, deletion) }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["3"])
        }
    }
}
