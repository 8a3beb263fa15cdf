import JSON
import Testing
import Values

@testable import Items

@Suite("The rendering of items") struct RenderedItemTests {
    private static let schemes = RatingSchemes([
        "apple-2015": ["4+": 4, "9+": 9, "12+": 12, "17+": 17], "usk": ["0": 0, "6": 6, "12": 12, "16": 16, "18": 18],
    ])

    @Test("A random item is rendered from its text as from its values, in every storefront and locale", arguments: 0..<200 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = RandomItem(seed: seed)
        let document = Array(random.document().utf8)
        let text = Comment(rawValue: "seed \(seed): \(String(decoding: document, as: UTF8.self))")
        let item = try Item(version: 7, document: document)
        let parsed = try Item(version: 7, parsing: document)
        #expect(parsed == item && parsed.availability == item.availability && parsed.hasIcon == item.hasIcon, text)
        let values = try ItemDocument(document)
        #expect(item.id == values.id && item.slug == values.slug && item.kind == values.content.kind, text)
        #expect(item.availability == values.content.availability && item.hasIcon == (values.content.images.icon != nil), text)
        for key in RandomItem.storefronts {
            for locale in try RandomItem.locales.map({ try #require(LocaleTag($0)) }) {
                let storefront = try Self.storefront(key)
                let locales = LocaleFallback(locale, in: storefront)
                for isComplete in [false, true] {
                    let rendered = RenderedItem(item, in: storefront, locales, isComplete: isComplete) { _ in ExpectedItem.placeholder }
                    let expected = ExpectedItem(
                        item: values, version: 7, storefront: storefront, locales: locales, isComplete: isComplete)
                    #expect(try rendered.json() == expected.json(), text)
                    let other = RenderedItem(parsed, in: storefront, locales, isComplete: isComplete) { _ in ExpectedItem.placeholder }
                    #expect(try other.json() == rendered.json(), text)
                    #expect(item.nextPriceChange(in: key) == expected.nextPriceChange, text)
                }
                let rendered = RenderedItem(item, in: storefront, locales) { _ in ExpectedItem.placeholder }
                let expected = ExpectedItem(item: values, version: 7, storefront: storefront, locales: locales, isComplete: false)
                #expect(try rendered.json(.pretty) == expected.json(.pretty), text)
            }
        }
    }

    @Test("Tasks that first render an item at the same time get the same bytes", arguments: 0..<50 as Range<UInt64>)
    func concurrent(seed: UInt64) async throws {
        var random = RandomItem(seed: seed)
        let document = Array(random.document().utf8)
        let storefront = try Self.storefront("de")
        let item = try Item(version: 7, document: document)
        let rendered = RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront))
        let texts = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { try rendered.json() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts.count == 1, "seed \(seed)")
    }

    private static func storefront(_ key: String) throws -> Storefront {
        let (currency, zone, locale, scheme) =
            switch key {
            case "de": ("EUR", "Europe/Berlin", "de", "usk")
            case "sa": ("SAR", "Asia/Riyadh", "ar", "later")
            default: ("USD", "UTC", "en", "apple-2015")
            }
        let standard = try #require(LocaleTag(locale))
        return Storefront(
            key: key, currency: currency, timeZone: zone, locales: [standard, .english], defaultLocale: standard, ratingScheme: scheme,
            ratingSchemes: schemes)
    }

    @Test("A price is that of the period that has started, and only the times of the other periods are read")
    func periods() throws {
        let sale = #"{"until":"2027-01-08T00:00:00Z","amountMinor":299,"currency":"USD","former":499}"#
        let others = #"{"from":"2027-03-01T00:00:00Z","amountMinor":"unread"},{"from":false}"#
        let document = """
            {"kind":"topApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"quay","title":{"en":"Quay"},\
            "categories":["tools"],"prices":{"us":{"amountMinor":499,"currency":"USD"}},"pricePeriods":{"us":[\(others),\(sale)]},\
            "bundleId":"org.quay","developer":"Quay","appVersion":"1","sizeBytes":1,"platforms":["ios"],"ageRating":"4+",\
            "releaseDate":"2024-05-01"}
            """
        let item = try Item(version: 1, document: Array(document.utf8))
        let until = try #require(Timestamp("2027-01-08T00:00:00Z"))
        let shown = ShownPrice(amount: Money(amountMinor: 299, currency: "USD"), previousMinor: 499, until: until)
        #expect(item.price(.price, in: "us") == shown && item.nextPriceChange(in: "us") == until)
        #expect(item.price(.price, in: "de") == nil && item.nextPriceChange(in: "de") == nil)
    }

    @Test(
        "An item with an invalid text throws when it is read or rendered",
        arguments: [
            (#""later":1e999"#, true), (#""later":[1e999]"#, true), (#""later":"\u0000""#, true), (#""later":{"a":"\ud800"}"#, true),
            (#""slug":"other""#, true), (#""later":{"a":1,"a":2}"#, false), (#""subtitle":{"en":"a","en":"b"}"#, false),
        ])
    func invalid(field: String, isFoundWhenRead: Bool) throws {
        let text = """
            {"kind":"foodApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"dish","title":{"en":"Dish"},\
            "categories":["dinner"],"brand":"Dish","cuisines":["thai"],"deliveryMinutes":{"from":1,"to":2},"priceBand":1,\(field)}
            """
        let storefront = try Self.storefront("us")
        let document = Array(text.utf8)
        if isFoundWhenRead {
            #expect(throws: JSONError.self) { try Item(version: 1, document: document) }
        } else {
            let item = try Item(version: 1, document: document)
            let rendered = RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront))
            // It throws for each page that shows the item.
            for _ in 1...2 { #expect(throws: JSONError.self) { try [rendered].json() } }
        }
    }

    @Test("A text without any locale of a request is that of the first locale by bytes")
    func otherLocales() throws {
        let document = """
            {"kind":"foodApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"dish",\
            "title":{"aa-later":"Later","nl":"Schotel","it":"Piatto"},"subtitle":{"nl":"Warm"},"categories":["dinner"],"brand":"Dish",\
            "cuisines":["thai"],"deliveryMinutes":{"from":1,"to":2},"priceBand":1}
            """
        let item = try Item(version: 1, document: Array(document.utf8))
        let storefront = try Self.storefront("us")
        let json = try JSONDocument(parsing: RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront)).json()).root
        #expect(json["title"]?.string == "Piatto" && json["subtitle"] == nil)
    }
}
