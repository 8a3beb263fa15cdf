import CatalogImport
import Postgres
import TestDatabase
import Testing

@Suite("Storefronts, categories and charts that are imported again", .databaseForEachTest)
struct UnchangedVocabularyTests {
    private static let gb =
        #"{"kind":"storefront","key":"gb","currency":"GBP","timeZone":"Europe/London","locales":["en","cy"],"defaultLocale":"en"}"# + "\n"
    private static let extra = #"{"kind":"category","key":"extra","title":{"en":"Extra \"1\"","de":"Mehr"}}"# + "\n"
    private static let file = gb + extra + Catalog.file

    @Test(
        "A record with another value is written, and is then unchanged",
        arguments: [
            (#""GBP""#, #""USD""#), ("Europe/London", "Europe/Dublin"), (#""defaultLocale":"en""#, #""defaultLocale":"cy""#),
            (#"["en","cy"]"#, #"["cy","en"]"#), (#"["en","cy"]"#, #"["en","cy","ga"]"#), (#"["en","cy"]"#, #"["en"]"#),
            (#""timeZone":"Europe/London""#, #""timeZone":"Europe/London","ratingScheme":"pegi""#),
            (#""key":"extra""#, #""key":"extra","itemKind":"topApp""#), ("Mehr", "Weiteres"), (#","de":"Mehr""#, ""),
            (#","de":"Mehr""#, #","de":"Mehr","fr":"Plus""#), (#"\"1\""#, #"\"2\""#),
            (#"["foodapp:saffron-table","topapp:harbor-notes"]"#, #"["topapp:harbor-notes","foodapp:saffron-table"]"#),
            (#"["foodapp:saffron-table","topapp:harbor-notes"]"#, #"["foodapp:saffron-table"]"#),
            (#"["foodapp:saffron-table","topapp:harbor-notes"]"#, "[]"),
        ])
    func changed(part: String, other: String) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Self.file)
            #expect(try await catalog.load(Self.file).report?.counts == Catalog.counts(0, 0, 10))
            let file = Self.file.replacing(part, with: other, maxReplacements: 1)
            #expect(file != Self.file)
            #expect(try await catalog.load(file).report?.counts == Catalog.counts(0, 1, 9))
            #expect(try await catalog.load(file).report?.counts == Catalog.counts(0, 0, 10))
            // A storefront without a rating scheme keeps its own.
            let back = other.contains("pegi") ? Catalog.counts(0, 0, 10) : Catalog.counts(0, 1, 9)
            #expect(try await catalog.load(Self.file).report?.counts == back)
        }
    }

    @Test(
        "A record that was changed in the catalog is written again",
        arguments: [
            "UPDATE storefronts SET time_zone = 'Europe/Dublin' WHERE key = 'gb'",
            "UPDATE storefront_locales SET rank = rank + 1 WHERE storefront = 'gb'",
            "INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('gb', 'ga', 3)",
            "UPDATE categories SET item_kind = 'topApp' WHERE key = 'extra'",
            "DELETE FROM category_texts WHERE category = 'extra' AND locale = 'de'",
            "INSERT INTO category_texts (category, locale, title) VALUES ('extra', 'fr', 'Plus')",
            "DELETE FROM chart_entries WHERE rank = 1",
        ])
    func changedByHand(change: String) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Self.file)
            let dump = try await catalog.dump()
            try await catalog.connection.runScript("change", "SET search_path = vitrine; \(change)", until: .soon)
            #expect(try await catalog.load(Self.file).report?.counts == Catalog.counts(0, 1, 9))
            #expect(try await catalog.dump() == dump)
        }
    }

    @Test("The items of a hundred charts take one more round trip")
    func manyCharts() async throws {
        try await Catalog.with { catalog in
            let items = ["topapp:harbor-notes", "foodapp:saffron-table"]
            let charts = (0..<250).map { #"{"kind":"chart","storefront":"us","name":"more-\#($0)","items":["\#(items[$0 % 2])"]}"# + "\n" }
            _ = try await catalog.load(Self.file + charts.joined())
            var calls: [Int] = []
            for count in [50, 250] {
                let before = catalog.connection.callCount
                let run = try await catalog.load(Self.file + charts[..<count].joined())
                #expect(run.report?.counts == Catalog.counts(0, 0, 10 + count))
                calls.append(catalog.connection.callCount - before)
            }
            #expect(calls[1] == calls[0] + 2)
            let found = """
                SELECT count(*)::text FROM chart_entries JOIN items ON items.id = item_id
                WHERE chart LIKE 'more-%' AND (slug = 'harbor-notes') = (substr(chart, 6)::integer % 2 = 0)
                """
            #expect(try await catalog.text(found) == "250")
        }
    }

    @Test("They take as many round trips as one of each")
    func roundTrips() async throws {
        try await Catalog.with { catalog in
            let storefronts = ["at", "be", "ch", "dk", "es", "fi"].map { key in
                #"{"kind":"storefront","key":"\#(key)","currency":"EUR","timeZone":"UTC","locales":["en"],"defaultLocale":"en"}"# + "\n"
            }
            let categories = (0..<30).map { #"{"kind":"category","key":"more-\#($0)","title":"More"}"# + "\n" }
            let charts = (0..<30).map { #"{"kind":"chart","storefront":"us","name":"more-\#($0)","items":["topapp:harbor-notes"]}"# + "\n" }
            var calls: [Int] = []
            for file in [Self.file, storefronts.joined() + categories.joined() + Self.file + charts.joined()] {
                _ = try await catalog.load(file)
                let before = catalog.connection.callCount
                let run = try await catalog.load(file)
                #expect(run.report?.counts.unchanged == (calls.isEmpty ? 10 : 76))
                calls.append(catalog.connection.callCount - before)
            }
            #expect(calls[0] == calls[1])
        }
    }
}
