import JSON
import Testing
import Values

@testable import Items

@Suite("The age rating of an item in a storefront") struct AgeRatingTests {
    private static let schemes = RatingSchemes([
        "apple-2015": ["4+": 4, "9+": 9, "12+": 12, "17+": 17], "usk": ["0": 0, "6": 6, "12": 12, "16": 16, "18": 18],
        "pegi": ["3": 3, "7": 7, "12": 12, "16": 16, "18": 18],
    ])

    @Test(
        "An item has its own label of the scheme, or the lowest label that covers its highest age",
        arguments: [
            (["apple-2015": "12+", "usk": "16"], "usk", "16", 16, false), (["apple-2015": "12+"], "usk", "12", 12, true),
            (["apple-2015": "4+"], "usk", "6", 6, true), (["apple-2015": "9+", "pegi": "16"], "usk", "16", 16, true),
            (["apple-2015": "17+"], "pegi", "18", 18, true), (["usk": "18"], "apple-2015", "17+", 17, true),
            (["usk": "0"], "pegi", "3", 3, true),
        ])
    func mapping(labels: [String: String], scheme: String, label: String, age: Int, isMapped: Bool) {
        let ratings = labels.map { AgeRating(scheme: $0.key, label: $0.value) }
        let shown = Self.schemes.rating(ratings, in: scheme)
        #expect(shown == ShownAgeRating(scheme: scheme, label: label, minimumAge: age, isMapped: isMapped))
    }

    @Test("A client receives the label, its age and whether it is mapped, and the platforms with their versions")
    func rendering() throws {
        let document = """
            {"kind":"topApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"quay","title":{"en":"Quay"},\
            "categories":["tools"],"tags":["made-here"],"bundleId":"org.quay","developer":"Quay","appVersion":"1","sizeBytes":1,\
            "platforms":{"linux":{},"ios":{"minimumOsVersion":"16.2"}},"ageRatings":{"apple-2015":"12+"},"releaseDate":"2024-05-01"}
            """
        let item = try Item(version: 1, document: Array(document.utf8))
        func rendered(_ scheme: String) throws -> JSONNode {
            let storefront = Storefront(
                key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english, ratingScheme: scheme,
                ratingSchemes: Self.schemes)
            return try JSONDocument(parsing: RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront)).json()).root
        }
        let own = JSONValue(try #require(try rendered("apple-2015")["ageRating"]))
        #expect(own == JSONValue(try JSONDocument(parsing: #"{"scheme":"apple-2015","label":"12+","minimumAge":12}"#).root))
        let mapped = try rendered("pegi")
        #expect(mapped["ageRating"]?["label"]?.string == "12" && mapped["ageRating"]?["mapped"]?.bool == true)
        #expect(mapped["platforms"]?["ios"]?["minimumOsVersion"]?.string == "16.2" && mapped["platforms"]?["linux"]?.kind == .object)
        #expect(mapped["minimumOsVersion"] == nil && mapped["tags"] == nil)
    }

    @Test("The opening hours have the time zone of the item, or else that of the storefront", arguments: [nil, "Asia/Riyadh"])
    func timeZone(zone: String?) throws {
        let document = """
            {"kind":"foodApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"dish","title":{"en":"Dish"},\
            "categories":["dinner"],"brand":"Dish","cuisines":["thai"],"deliveryMinutes":{"from":1,"to":2},"priceBand":1,\
            \(zone.map { "\"timeZone\":\"\($0)\"," } ?? "")"openMinutes":[[60,120]]}
            """
        let item = try Item(version: 1, document: Array(document.utf8))
        let storefront = Storefront(key: "de", currency: "EUR", timeZone: "Europe/Berlin", locales: [.english], defaultLocale: .english)
        let hours = try JSONDocument(parsing: RenderedItem(item, in: storefront, LocaleFallback(.english, in: storefront)).json()).root[
            "openingHours"]
        #expect(hours?["timeZone"]?.string == zone ?? "Europe/Berlin")
        #expect(hours?["spans"]?.count == 1)
    }

    @Test(
        "Schemes rate all items alike if each label of both has the same covering label",
        arguments: [
            // A label that no item can have, and an age that is covered by the same label.
            (["usk": ["0": 0, "6": 6, "12": 12, "16": 16, "18": 18, "21": 21]], true), (["cero": ["A": 0]], true),
            (["pegi": ["3": 2, "7": 8, "12": 10, "16": 17, "18": 18]], true), (["pegi": ["7": 7]], true), (["usk": [:]], true),
            (["pegi": ["3": 3, "7": 7, "12": 13, "16": 16, "18": 18]], false), (["usk": ["0": 0, "6": 10]], false),
            (["apple-2015": ["4+": 4, "9+": 9, "12+": 12, "17+": 18]], false), (["apple-2015": [:]], false),
            (["apple-2015": ["4+": 4, "9+": 9, "12+": 12, "17+": 17, "18+": 18]], false),
        ] as [([String: [String: Int]], Bool)])
    func alike(changes: [String: [String: Int]], areAlike: Bool) {
        let other = RatingSchemes(Self.schemes.ages.merging(changes) { $1 })
        #expect(Self.schemes.rates(like: other, in: "apple-2015") == areAlike)
        #expect(other.rates(like: Self.schemes, in: "apple-2015") == areAlike)
    }

    @Test("Schemes are compared exactly as the ratings of all items", arguments: 0...5)
    func exact(age: Int) {
        let own = ["x": 1, "y": 3]
        let items: [[AgeRating]] = [
            [], [AgeRating(scheme: "a", label: "p")], [AgeRating(scheme: "a", label: "q")],
            [AgeRating(scheme: "a", label: "p"), AgeRating(scheme: "b", label: "r")],
            [AgeRating(scheme: "a", label: "p"), AgeRating(scheme: "own", label: "x")], [AgeRating(scheme: "own", label: "y")],
        ]
        for otherAge in 0...5 {
            for third in 0...5 {
                let first = RatingSchemes(["own": own, "a": ["p": age, "q": third], "b": ["r": third]])
                let second = RatingSchemes(["own": own, "a": ["p": otherAge, "q": third], "b": ["r": third]])
                let areAlike = items.allSatisfy { first.rating($0, in: "own") == second.rating($0, in: "own") }
                #expect(first.rates(like: second, in: "own") == areAlike, "\(age), \(otherAge) and \(third)")
            }
        }
    }

    @Test("Storefronts render alike if they differ in their locales only")
    func storefronts() throws {
        func storefront(
            currency: String = "USD", zone: String = "UTC", locales: [LocaleTag] = [.english], locale: LocaleTag = .english,
            scheme: String = "usk"
        ) -> Storefront {
            Storefront(
                key: "us", currency: currency, timeZone: zone, locales: locales, defaultLocale: locale, ratingScheme: scheme,
                ratingSchemes: Self.schemes)
        }
        let german = try #require(LocaleTag("de"))
        let usual = storefront()
        #expect(usual.renders(like: usual) && usual.renders(like: storefront(locales: [german, .english])))
        for other in [storefront(currency: "CAD"), storefront(zone: "Asia/Tokyo"), storefront(locale: german), storefront(scheme: "pegi")] {
            #expect(!usual.renders(like: other) && !other.renders(like: usual))
        }
    }
}
