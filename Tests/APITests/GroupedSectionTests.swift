import JSON
import TestDatabase
import Testing
import Values

@testable import API

@Suite("A section that is grouped by initials", .databaseForEachTest)
struct GroupedSectionTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let storefront: String
        let locale: String
        /// The letters of the alphabet. Only Arabic has 28.
        let letters: [String]

        init(_ storefront: String, _ locale: String, _ letters: String) {
            (self.storefront, self.locale, self.letters) = (storefront, locale, letters.map(String.init))
        }

        var testDescription: String { "\(locale) with \(letters.count) letters" }
    }

    private static let places = [
        Place("sa", "ar", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"), Place("de", "de", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        Place("jp", "ja", "あかさたなはまやらわ"),
    ]

    private static let feed = #"""
        {"format": 2, "feed": "letters", "title": {"en": "Letters"}, "sections": [
          {"key": "all", "title": {"en": "All"}, "layout": {"list": {}}, "cell": "row", "rule": {"category": "games"}, "sort": "title",
           "group": "initial", "size": 30, "eligibility": "none"}]}
        """#

    /// A thousand games, whose titles are spread over all letters of each alphabet.
    private static let games: String = {
        let titles = places.map { place in
            "'\(place.locale)', substr('\(place.letters.joined())', 1 + n % \(place.letters.count), 1) || ' ' || n"
        }
        return """
            INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale) VALUES ('jp', 'JPY', 'Asia/Tokyo', 'ja');
            INSERT INTO vitrine.storefront_locales (storefront, locale, rank) VALUES ('jp', 'ja', 1);
            SELECT pg_temp.top_app('game-' || n, jsonb_build_object('en', 'Game ' || n, \(titles.joined(separator: ", "))), '{games}')
            FROM generate_series(1, 1000) AS n;
            """
    }()

    @Test("Each path of the index opens its letter, and all parts together are the list", arguments: places)
    func letters(place: Place) async throws {
        try await PageSite.run([]) { site in
            try await site.sql(Self.games)
            // A change of that many items is indexed after its commit.
            try await site.sql("SELECT vitrine.derive_items(1000)")
            try await site.publish(Self.feed)
            let path = "/v1/\(place.storefront)/feeds/letters"
            let all = try await Self.items(from: "\(path)/sections/all/items?locale=\(place.locale)", at: site)
            #expect(all.count == 1_000 && Set(all.map(\.placement)).count == 1_000)
            let sections = try await site.json("GET \(path)?locale=\(place.locale)").root["sections"]?.elements.map(\.self) ?? []
            let shelf = sections.flatMap { $0["items"]?.elements.compactMap { $0["placement"]?.string } ?? [] }
            #expect(shelf == all.prefix(30).map(\.placement))
            // The path below the shelf opens the rest.
            let next = try #require(sections.last?["next"]?.string)
            #expect(try await shelf + Self.items(from: next, at: site).map(\.placement) == all.map(\.placement))

            let index = try #require(sections.first?["group"]?["index"]).elements.map(\.self)
            #expect(index.compactMap { $0["initial"]?.string } == place.letters)
            for (letter, heading) in zip(place.letters, index) {
                #expect(heading["items"]?.integer == all.count { $0.initial == letter })
                let link = try #require(heading["href"]?.string)
                let opened = try await site.json("GET \(link)&limit=2").root["section"].map(Self.items(of:))
                let start = try #require(all.firstIndex { $0.initial == letter })
                #expect(opened == Array(all[start..<start + 2]), "\(letter)")
            }
            // No letter is divided.
            #expect(all.map(\.initial) == place.letters.flatMap { letter in all.map(\.initial).filter { $0 == letter } })
        }
    }

    private struct GroupedItem: Equatable {
        let placement: String
        let initial: String
    }

    private static func items(of section: JSONNode) -> [GroupedItem] {
        section["items"]?.elements.map { item in
            GroupedItem(placement: item["placement"]?.string ?? "", initial: item["initial"]?.string ?? "")
        } ?? []
    }

    /// Returns the items of a path and of all paths after it.
    private static func items(from path: String, at site: PageSite) async throws -> [GroupedItem] {
        var items: [GroupedItem] = []
        var next: String? = "\(path)&limit=100"
        while let link = next {
            let section = try #require(try await site.json("GET \(link)").root["section"])
            items += Self.items(of: section)
            next = section["next"]?.string
        }
        return items
    }
}
