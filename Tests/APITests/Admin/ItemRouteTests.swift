import Access
import Catalog
import HTTPMessages
import Items
import JSON
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of items", .databaseForEachTest)
struct ItemRouteTests {
    private static let items = "/admin/v1/items"
    private static let first = "\(items)/topapp:app-1"

    private func slugs(_ response: Response) throws -> [String] {
        try response.json["items"]?.elements.compactMap { $0["slug"]?.string } ?? []
    }

    /// Returns the record of a response with one part replaced.
    private func record(_ response: Response, _ part: String, _ other: String) throws -> String {
        let record = try #require(try response.json["record"])
        let text = String(decoding: try JSONValue(record).json(), as: UTF8.self)
        try #require(text.contains(part), "\(text)")
        return text.replacing(part, with: other)
    }

    @Test("Items are listed by serial number or by slug prefix, in pages")
    func list() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            var line = "GET \(Self.items)?limit=4"
            var received: [[String]] = []
            while true {
                let page = try await site.expect(.ok, line, reader)
                received.append(try slugs(page))
                guard let next = try page.json["next"]?.string else { break }
                line = "GET \(next)"
            }
            #expect(received.map(\.count) == [4, 4, 1] && Set(received.joined()) == Set((1...9).map { "app-\($0)" }))
            try await site.sql(
                """
                UPDATE vitrine.items SET slug = 'zebra' WHERE slug = 'app-9';
                UPDATE vitrine.items SET slug = 'app' WHERE slug = 'app-8';
                UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-7';
                """)
            #expect(
                try slugs(try await site.expect(.ok, "GET \(Self.items)?slugPrefix=app", reader))
                    == ["app", "app-1", "app-2", "app-3", "app-4", "app-5", "app-6"])
            #expect(
                try slugs(try await site.expect(.ok, "GET \(Self.items)?slugPrefix=app-&includeWithdrawn=true", reader)).last == "app-7")
            let some = try await site.expect(.ok, "GET \(Self.items)?slugPrefix=app&limit=3", reader)
            let next = try #require(try some.json["next"]?.string)
            #expect(
                try slugs(try await site.expect(.ok, "GET \(next.replacing("limit=3", with: "limit=2"))", reader)) == [
                    "app-3", "app-4",
                ])
            #expect(try slugs(try await site.expect(.ok, "GET \(Self.items)?slugPrefix=z&kind=topApp", reader)) == ["zebra"])
            #expect(try slugs(try await site.expect(.ok, "GET \(Self.items)?slugPrefix=z&kind=foodApp", reader)).isEmpty)
            for query in [
                "slugPrefix=%C3%84", "slugPrefix=", "kind=app", "includeWithdrawn=1", "facts=1", "limit=0", "cursor=x", "offset=1",
            ] {
                try await site.expect(.badRequest, "GET \(Self.items)?\(query)", reader)
            }
            try await site.expect(.badRequest, "GET \(next.replacing("slugPrefix=app", with: "slugPrefix=z"))", reader)
        }
    }

    @Test("A listed item has the facts that rules compare, with the price at the time of the request")
    func facts() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            try await site.sql(
                """
                UPDATE vitrine.items SET tags = '{made-here}' WHERE slug = 'app-1';
                INSERT INTO vitrine.item_prices (item_id, storefront, role, amount_minor, currency)
                SELECT md5('app-1')::uuid, key, 'price', 499, currency FROM vitrine.storefronts WHERE key IN ('us', 'de');
                INSERT INTO vitrine.item_price_periods (item_id, storefront, role, during, amount_minor, currency, former_minor)
                SELECT md5('app-1')::uuid, storefront, 'price', tstzrange(start, start + interval '1 day'), amount, currency, former
                FROM (
                    VALUES
                        ('us', now() - interval '2 days', 199, 'USD', 499), ('us', now() - interval '1 hour', 299, 'USD', 499),
                        ('us', now() + interval '2 days', 99, 'USD', 499), ('sa', now() - interval '1 hour', 900, 'SAR', NULL)
                ) AS periods (storefront, start, amount, currency, former);
                """)
            var found: [JSONValue] = []
            for query in ["slugPrefix=app-1&facts=true", "facts=true"] {
                let items = try await site.expect(.ok, "GET \(Self.items)?\(query)", reader).json["items"]
                let item = try #require(items?.elements.first { $0["slug"]?.string == "app-1" })
                found.append(JSONValue(item))
            }
            let item = try #require(found.first)
            #expect(found.last == item)
            let page = try await site.expect(.ok, "GET \(Self.items)?facts=true&limit=2", reader).json["next"]?.string
            let next = try await site.expect(.ok, "GET \(try #require(page))", reader).json["items"]
            #expect(next?.count == 2 && next?.elements.allSatisfy { $0["developer"] != nil } == true)
            for query in ["slugPrefix=app-1", "slugPrefix=app-1&facts=false", "limit=200"] {
                let items = try await site.expect(.ok, "GET \(Self.items)?\(query)", reader).json["items"]
                let plain = try #require(items?.elements.first { $0["slug"]?.string == "app-1" })
                #expect(
                    Set(plain.members.map(\.key)) == ["kind", "slug", "source", "id", "serialNumber", "version", "title", "withdrawn"])
            }
            #expect(item["tags"]?.list == [.string("made-here")] && item["developer"]?.text == "Quay Labs" && item["dietaryTags"] == nil)
            #expect(item["platforms"]?["ios"] == .object([]) && item["ageRatings"]?["apple-2015"]?.text == "4+")
            let prices = try #require(item["currentPrices"])
            #expect(prices.members.map(\.key) == ["de", "sa", "us"])
            #expect(prices["us"]?["amountMinor"] == .integer(299) && prices["us"]?["former"] == .integer(499))
            #expect(prices["us"]?["until"]?.text != nil && prices["sa"]?["former"] == nil)
            #expect(prices["de"]?.members.map(\.key) == ["amountMinor", "currency"] && prices["de"]?["amountMinor"] == .integer(499))
        }
    }

    @Test("An item is returned with its record, by its ID and by its name")
    func show() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            let named = try await site.expect(.ok, "GET \(Self.first)", reader)
            let id = try #require(try named.json["id"]?.string)
            let same = try await site.expect(.ok, "GET \(Self.items)/\(id)", reader)
            #expect(named.text == same.text && named.tag == same.tag && !named.tag.isEmpty)
            #expect(try named.json["record"]?["title"]?["de"]?.string == "Programm 1" && named.json["withdrawn"]?.bool == false)
            for name in ["topapp:nothing", "foodapp:app-1", "nothing", "\(UUID(high: 1, low: 1))", "x:y", "x%2Fy", "%20"] {
                try await site.expect(.notFound, "GET \(Self.items)/\(name)", reader)
            }
        }
    }

    @Test("A unique slug or source resolves to its item, and an ambiguous one lists the candidates")
    func words() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql(
                """
                UPDATE vitrine.items SET source = 'https://a.example/2' WHERE slug = 'app-2';
                UPDATE vitrine.items SET source = 'twin' WHERE slug = 'app-3';
                UPDATE vitrine.items SET slug = 'twin' WHERE slug = 'app-4';
                UPDATE vitrine.items SET slug = (SELECT id::text FROM vitrine.items WHERE slug = 'app-1') WHERE slug = 'app-5';
                """)
            func slug(of word: String) async throws -> String? {
                try await site.expect(.ok, "GET \(Self.items)/\(word)", anna).json["record"]?["slug"]?.string
            }
            #expect(try await slug(of: "app-1") == "app-1")
            #expect(try await slug(of: "https%3A%2F%2Fa.example%2F2") == "app-2")
            #expect(try await slug(of: "topapp:https%3A%2F%2Fa.example%2F2") == "app-2")
            #expect(try await slug(of: "topapp:twin") == "twin")
            let id = try #require(try await site.rows("SELECT id::text FROM vitrine.items WHERE slug = 'app-1'").first)
            #expect(try await slug(of: id) == "app-1")
            let odd = "7b1f6c52-0000-4000-8000-000000000001"
            try await site.sql(
                "UPDATE vitrine.items SET source = '\(odd)' WHERE slug = 'app-2'; UPDATE vitrine.items SET slug = '\(odd)' WHERE slug = 'app-1'"
            )
            try await site.expect(.conflict, "GET \(Self.items)/\(odd)", anna)
            for line in ["GET \(Self.items)/twin", "PUT \(Self.items)/twin"] {
                let response = try await site.expect(.conflict, line, anna, [#"If-Match: "x""#], body: line.hasPrefix("PUT") ? "{}" : "")
                let candidates = try response.json["candidates"]?.elements.map { $0 } ?? []
                #expect(try response.code == "ambiguousItem" && Set(candidates.compactMap { $0["slug"]?.string }) == ["app-3", "twin"])
                #expect(candidates.allSatisfy { $0["id"]?.string != nil && $0["kind"]?.string == "topApp" && $0["source"]?.string != nil })
            }
        }
    }

    @Test("An item is replaced as a whole by the rules of imports, and the audit log has both states")
    func set() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let before = try await site.expect(.ok, "GET \(Self.first)", anna)
            let changed = try record(before, "Programm 1", "Anwendung 1")
            let match = ["If-Match: \(before.tag)"]
            let after = try await site.expect(.ok, "PUT \(Self.first)", anna, match, body: changed)
            #expect(try after.json["record"]?["title"]?["de"]?.string == "Anwendung 1" && after.tag != before.tag)
            #expect(try await site.expect(.ok, "GET \(Self.first)", anna).text == after.text)
            let stale = try await site.expect(.preconditionFailed, "PUT \(Self.first)", anna, match, body: changed)
            #expect(stale.tag == after.tag)
            let now = ["If-Match: \(after.tag)"]
            let same = try await site.expect(.ok, "PUT \(Self.first)", anna, now, body: changed)
            #expect(same.text == after.text)
            for (part, other, code) in [
                (#""kind":"topApp""#, #""kind":"foodApp""#, "invalidDocument"), (#""source":""#, #""source":"x"#, "itemMismatch"),
                (#""title":{"#, #""title":{"xx-":"x","#, "invalidDocument"), (#""slug":"app-1""#, #""slug":"app-2""#, "invalidItem"),
                (#""id":""#, #""id":"x"#, "invalidDocument"), (#""serialNumber":"#, #""serialNumber":9"#, "invalidItem"),
            ] {
                let response = try await site.expect(
                    .unprocessableContent, "PUT \(Self.first)", anna, now, body: try record(after, part, other))
                #expect(try response.code == code && response.json["errors"]?.count ?? 0 > 0, "\(part): \(response.text)")
            }
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, before #>> '{record,title,de}', after #>> '{record,title,de}')
                    FROM vitrine.audit_entries
                    """) == ["anna item.save Programm 1 Anwendung 1"])
            #expect(try await site.rows("SELECT title FROM vitrine.item_texts WHERE locale = 'de' AND title LIKE 'Anwendung%'").count == 1)
        }
    }

    @Test("An item is withdrawn and restored, once each")
    func withdraw() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            var tag = try await site.expect(.ok, "GET \(Self.first)", anna).tag
            for (verb, isWithdrawn) in [("restore", false), ("withdraw", true), ("withdraw", true), ("restore", false)] {
                let stale = try await site.expect(.preconditionFailed, "POST \(Self.first):\(verb)", anna, [#"If-Match: "x""#])
                #expect(stale.tag == tag)
                let response = try await site.expect(.ok, "POST \(Self.first):\(verb)", anna, ["If-Match: \(tag)"])
                #expect(try response.json["withdrawn"]?.bool == isWithdrawn)
                tag = response.tag
                #expect(
                    try await site.rows("SELECT (deleted_at IS NOT NULL)::text FROM vitrine.items WHERE slug = 'app-1'") == [
                        "\(isWithdrawn)"
                    ])
            }
            #expect(
                try await site.rows(
                    "SELECT concat_ws(' ', action, before ->> 'withdrawn', after ->> 'withdrawn') FROM vitrine.audit_entries ORDER BY number"
                ) == ["item.withdraw false true", "item.restore true false"])
            let curator = try await site.token(.curate)
            for line in ["POST \(Self.first):withdraw", "POST \(Self.first):restore", "PUT \(Self.first)"] {
                let response = try await site.expect(.forbidden, line, curator, ["If-Match: \(tag)"])
                #expect(try response.code == "insufficientScope", "\(line)")
            }
        }
    }
}
