import Artwork
import Catalog
import EventLoop
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Items

@Suite("A rendered item", .databaseForEachTest)
struct RenderingTests {
    private static let fixture = """
        SELECT pg_temp.top_app('harbor-notes', '{"en": "Harbor Notes", "ar": "ملاحظات المرفأ"}', rating => 4.7, ratings => 1204, subtitle => 'Write by the water');
        SELECT pg_temp.food_app('saffron-table', '{"en": "Saffron Table"}', storefront => 'us');
        UPDATE items SET serial_number = 1017 WHERE slug = 'harbor-notes';
        INSERT INTO item_images (item_id, role, locale, appearance, template, width, height, sizes, color, blurhash, alt)
        SELECT md5('harbor-notes')::uuid, images.*
        FROM (VALUES
            ('icon', '', 'light', 'https://cdn.example/icon/{w}x{h}.png', 1024, 1024, '{{120,120},{1024,1024}}'::integer[], '#1F6F8B', 'L6Pj0^i_.AyE_3t7t7R**0o#DgR4', NULL),
            ('icon', '', 'dark', 'https://cdn.example/icon-dark/{w}x{h}.png', NULL, NULL, NULL, NULL, NULL, NULL),
            ('hero', '', 'light', '/hero/{w}x{h}.jpg', 1920, 1080, '{}', NULL, NULL, NULL),
            ('hero', 'en', 'light', NULL, NULL, NULL, NULL, NULL, NULL, 'A harbor'),
            ('hero', 'ar', 'light', '/hero-ar/{w}x{h}.jpg', NULL, NULL, NULL, '#000000', NULL, NULL),
            ('screenshot', '', 'light', '/screenshot/{w}x{h}.jpg', 390, 844, '{}', NULL, NULL, NULL)
        ) AS images;
        UPDATE items SET serial_number = 1018 WHERE slug = 'saffron-table';
        UPDATE item_texts SET image_alt = 'A lighthouse on a teal notebook' WHERE title = 'Harbor Notes';
        INSERT INTO item_prices VALUES (md5('saffron-table')::uuid, 'us', 'minimumOrder', 1500, 'USD'),
            (md5('saffron-table')::uuid, 'us', 'deliveryFee', 299, 'USD'), (md5('harbor-notes')::uuid, 'de', 'price', 499, 'EUR');
        UPDATE food_apps SET opening_hours = '{[660,1380),[2100,2820),[5760,10700)}';
        UPDATE sync_head SET version = 6440;
        """

    @Test("Only a complete item has its screenshots, and an item without images has none")
    func screenshots() async throws {
        try await Fixture.run(Self.fixture) { connection, reader async throws in
            let storefront = try await reader.site("us")
            let locales = LocaleFallback(.english, in: storefront)
            for (slug, images) in [("harbor-notes", "image hero screenshots"), ("saffron-table", "image hero")] {
                let query = PostgresQuery("id", "SELECT md5($1::text)::uuid", slug)
                let ids = try await connection.rows(of: query, as: UUID.self, until: .soon)
                let item = try #require(try await reader.items(ids, in: storefront).first)
                for isComplete in [false, true] {
                    let rendered = RenderedItem(item, in: storefront, locales, isComplete: isComplete)
                    let document = try JSONDocument(parsing: rendered.json())
                    let names = document.root.members.map(\.key).filter(["image", "hero", "screenshots"].contains)
                    #expect(names.joined(separator: " ") == (isComplete ? images : "image hero"))
                }
            }
        }
    }

    @Test("The outline of each document that the database writes has its facts")
    func outlines() async throws {
        try await Fixture.run(Self.fixture) { connection, _ async throws in
            let query = PostgresQuery("documents", "SELECT document FROM vitrine.item_documents(ARRAY(SELECT id FROM vitrine.items))")
            let documents = try await connection.rows(of: query, as: JSONBytes.self, until: .soon)
            #expect(documents.count == 2)
            for document in documents.map(\.bytes) {
                let facts = try JSONDocument(parsing: document, limits: .published).decodeLeniently(PublishedFacts.self).value
                #expect(PublishedFacts(outlining: document) == facts, "\(String(decoding: document, as: UTF8.self))")
            }
        }
    }

    @Test("A published document shows the period that has started, and otherwise the regular price")
    func pricePeriods() throws {
        func price(_ fields: String, in key: String = "us") throws -> String {
            let document = """
                {"kind":"topApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"quay","title":{"en":"Quay"},\
                "categories":["tools"],\(fields)"bundleId":"org.quay","developer":"Quay","appVersion":"1","sizeBytes":1,"platforms":["ios"],\
                "ageRating":"4+","releaseDate":"2024-05-01"}
                """
            let storefront = Storefront(key: key, currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
            let item = try Item(version: 1, document: Array(document.utf8))
            let json = try JSONDocument(parsing: RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront)).json()).root
            return try String(decoding: JSONValue(#require(json["price"])).json(), as: UTF8.self)
        }
        let regular = #""prices":{"us":{"amountMinor":499,"currency":"USD"}},"#
        let ahead = #"{"from":"2027-02-01T00:00:00Z","until":"2027-03-01T00:00:00Z","amountMinor":1,"currency":"USD"}"#
        let sale = #"{"until":"2027-01-08T00:00:00Z","amountMinor":299,"currency":"USD","former":499}"#
        #expect(try price("") == #"{"amountMinor":0,"currency":"USD"}"#)
        #expect(try price(regular + #""pricePeriods":{"us":[\#(ahead)]},"#) == #"{"amountMinor":499,"currency":"USD"}"#)
        let shown = #"{"amountMinor":299,"currency":"USD","former":499,"until":"2027-01-08T00:00:00.000000Z"}"#
        #expect(try price(regular + #""pricePeriods":{"us":[\#(sale),\#(ahead)]},"#) == shown)
        #expect(try price(#""pricePeriods":{"us":[\#(ahead),\#(sale)]},"#) == shown)
        #expect(try price(regular + #""pricePeriods":{"us":[\#(sale)]},"#, in: "de") == #"{"amountMinor":0,"currency":"USD"}"#)
    }

    @Test("An item with its own icon has no generated hero, and an item with its own hero has a generated icon")
    func drawn() throws {
        func item(_ images: String) throws -> [String?] {
            let document = """
                {"kind":"topApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"quay","title":{"en":"Quay"},\(images)\
                "categories":["tools"],"bundleId":"org.quay","developer":"Quay","appVersion":"1","sizeBytes":1,"platforms":["ios"],\
                "ageRating":"4+","releaseDate":"2024-05-01"}
                """
            let storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
            let item = try Item(version: 1, document: Array(document.utf8))
            let json = try JSONDocument(parsing: RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront)).json()).root
            return ["image", "hero"].map { json[$0]?["template"]?.string }
        }
        let (path, own) = ("/v1/images/1/a3f7b417-5eb3-c1da-2f47-7685808422a5", #"{"template":"/a/{w}/{h}","width":8,"height":8}"#)
        let drawn = ["icon", "hero"].map { "\(path)/\($0)/{w}x{h}.png" }
        #expect(try item("") == drawn)
        #expect(try item("\"image\":\(own),") == ["/a/{w}/{h}", nil])
        #expect(try item("\"images\":{\"hero\":\(own)},") == [drawn[0], "/a/{w}/{h}"])
    }

    @Test(
        "An item has the fields of its kind in a fixed order, in the locale and with the price of the storefront",
        arguments: ["us en", "de de", "sa ar"])
    func golden(location: String) async throws {
        let parts = location.split(separator: " ").map(String.init)
        try await Fixture.run(Self.fixture) { connection, reader async throws in
            let storefront = try await reader.site(parts[0])
            let locales = LocaleFallback(LocaleTag(parts[1]) ?? .english, in: storefront)
            let ids = try await connection.rows(
                of: PostgresQuery("ids", "SELECT id FROM vitrine.items ORDER BY serial_number"), as: UUID.self, until: .soon)
            let items = try await reader.items(ids, in: storefront)
            let text =
                try String(
                    decoding: items.map { RenderedItem($0, in: storefront, locales, placeholder: \.placeholder) }.json(.pretty),
                    as: UTF8.self) + "\n"
            #expect(try Golden("items-\(parts[0]).json").text(recording: text) == text)
        }
    }
}

@Suite("Opening hours")
struct OpeningHoursTests {
    private func text(_ spans: [Range<Int>]) throws -> String {
        String(decoding: try OpeningHours(spans: spans).entries.json(), as: UTF8.self)
    }

    @Test("Spans of minutes become days with equal times")
    func days() throws {
        #expect(try text([660..<1380, 2100..<2820]) == #"[{"days":["mon","tue"],"opens":"11:00","closes":"23:00"}]"#)
        #expect(
            try text([660..<840, 1080..<1500])
                == #"[{"days":["mon"],"opens":"11:00","closes":"14:00"},{"days":["mon"],"opens":"18:00","closes":"01:00"}]"#)
        #expect(try text([9720..<10200]) == #"[{"days":["sun"],"opens":"18:00","closes":"02:00"}]"#)
        #expect(
            try text([0..<10080]) == #"[{"days":["mon","tue","wed","thu","fri","sat","sun"],"opens":"00:00","closes":"00:00"}]"#)
        #expect(try text([]) == "[]")
    }
}

@Suite("The locale of a response")
struct LocaleTests {
    private let storefront = Storefront(
        key: "us", currency: "USD", timeZone: "UTC", locales: ["en", "es-MX", "zh-Hant"].compactMap { LocaleTag($0) },
        defaultLocale: .english)

    @Test(
        "The first requested language that the storefront supports wins",
        arguments: [
            ([], "en"), (["es-mx"], "es-MX"), (["es"], "es-MX"), (["es-es"], "es-MX"), (["fr", "zh-hant-tw"], "zh-Hant"), (["fr"], "en"),
            (["en-gb", "es"], "en"),
        ] as [([String], String)])
    func lookup(languages: [String], locale: String) {
        #expect(storefront.locale(for: languages).text == locale)
    }

    @Test("A text falls back to the nearest parent locale, then to the storefront's locale, then to English")
    func texts() throws {
        func tag(_ text: String) throws -> LocaleTag { try #require(LocaleTag(text)) }
        let hongKong = Storefront(
            key: "hk", currency: "HKD", timeZone: "UTC", locales: [try tag("zh-HK"), .english], defaultLocale: try tag("en-GB"))
        let locales = LocaleFallback(try tag("zh-HK"), in: hongKong)
        #expect(locales.order.map(\.text) == ["zh-HK", "zh-Hant-HK", "zh-Hant", "en-GB", "en-001", "en"])
        #expect(try locales.pick([tag("zh"): "简", tag("zh-Hant"): "繁", .english: "E"]) == "繁")
        #expect(try locales.pick([tag("zh"): "简", .english: "E"]) == "E")
        #expect(try locales.pick([tag("zh"): "简", tag("fr"): "F"]) == "F")
    }

    @Test(
        "A requested language matches a supported locale by its CLDR parents",
        arguments: [
            (["zh-hk"], "zh-Hant"), (["zh-tw"], "zh-Hant"), (["zh-mo"], "zh-Hant"), (["zh-cn"], "zh-Hans"), (["zh"], "zh-Hans"),
            (["zh-hans-sg"], "zh-Hans"), (["es-ar"], "es-419"), (["en-nz"], "en-001"), (["en-us"], "en-001"), (["sr-me", "es"], "es-419"),
            (["zh-hant-hk-x-private", "es"], "zh-Hant"), (["x-klingon", "*", "es"], "es-419"), (["fr"], "en-001"),
        ] as [([String], String)])
    func lookupByParents(languages: [String], locale: String) throws {
        let storefront = Storefront(
            key: "xx", currency: "USD", timeZone: "UTC",
            locales: ["en-001", "zh-Hans", "zh-Hant", "es-419", "sr"].compactMap { LocaleTag($0) },
            defaultLocale: try #require(LocaleTag("en-001")))
        #expect(storefront.locale(for: languages).text == locale)
    }

    @Test("A valid locale tag parses to itself", arguments: ["en", "ast", "es-MX", "zh-Hant", "zh-Hant-TW", "es-419"])
    func tags(text: String) { #expect(LocaleTag(text)?.text == text) }

    @Test(
        "An invalid locale tag is rejected",
        arguments: ["", "e", "EN", "en-", "en-us", "en_US", "en-US-x", "zh-hant", "zh-TW-Hant", "deutsch", "e\u{301}n"])
    func issues(text: String) { #expect(LocaleTag(text) == nil) }
}
