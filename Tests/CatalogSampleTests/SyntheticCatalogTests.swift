import CatalogSample
import JSON
import TestSupport
import Testing

@Suite("The synthetic catalog")
struct SyntheticCatalogTests {
    private static func records(_ count: Int, seed: UInt64 = 1) throws -> [JSONNode] {
        try Records(SyntheticCatalog(count: count, seed: seed).flatMap { $0 }).all
    }

    @Test("A seed generates the same lines on every machine")
    func golden() throws {
        let catalog = SyntheticCatalog(count: 12, seed: 42)
        let text = String(decoding: catalog.flatMap { $0 } + catalog.charts, as: UTF8.self)
        #expect(try text == Golden("synthetic-42.jsonl").text(recording: text))
    }

    @Test("A smaller catalog is a prefix of a larger one, zero items are no lines, and another seed generates other lines")
    func prefix() {
        let many = Array(SyntheticCatalog(count: 500, seed: 7))
        #expect(Array(SyntheticCatalog(count: 100, seed: 7)) == Array(many.prefix(100)))
        #expect(Array(SyntheticCatalog(count: 0, seed: 7)).isEmpty)
        #expect(zip(many, SyntheticCatalog(count: 500, seed: 8)).allSatisfy { $0 != $1 })
    }

    @Test("Sources and slugs are unique within a catalog and across two seeds, and have a valid form")
    func unique() throws {
        let records = try Self.records(1_000) + Self.records(1_000, seed: .max)
        #expect(Set(records.map { $0.text("source") }).count == 2_000)
        #expect(Set(records.map { $0.text("slug") }).count == 2_000)
        #expect(Set(records.map { $0.text("bundleId") }).count > 600)
        #expect(records.allSatisfy { $0.text("slug").wholeMatch(of: #/[a-z0-9-]{1,80}/#) != nil && $0["serialNumber"] == nil })
    }

    @Test("The frequencies of words have a long tail, and titles have many sets of locales")
    func words() throws {
        let titles = try Self.records(8_000, seed: 5).compactMap { $0["title"] }
        let parts = titles.flatMap { ($0["en"]?.string ?? "").split(separator: " ") }
        let counts = Dictionary(grouping: parts) { $0 }.mapValues(\.count).values
        #expect(counts.count > 1_000 && counts.count { $0 == 1 } > 300 && counts.max() ?? 0 > 300)
        #expect(Set(titles.map { $0.members.map(\.key).sorted() }).count > 20)
    }

    @Test("Kinds, prices, availabilities, categories and ratings are distributed as in real stores")
    func spread() throws {
        let items = try Self.records(4_000, seed: 5)
        let apps = items.filter { $0.text("kind") == "topApp" }
        #expect((2_850...3_150).contains(apps.count))
        #expect((0.86...0.92).contains(Double(apps.count { $0["prices"] == nil }) / Double(apps.count)))
        #expect((3_000...3_400).contains(items.count { $0["availability"] == nil }))

        let categories = Dictionary(grouping: apps) { $0.texts("categories").first ?? "" }.mapValues(\.count).values.sorted(by: >)
        #expect(categories.count == 14 && categories[0] > 3 * categories[3] && 2 * categories[3] > 3 * categories[13])

        // The n-th item has about 1/n of the ratings of the first.
        let ratings = items.compactMap { $0["rating"]?["count"]?.integer }.sorted(by: >)
        #expect((1_500...1_700).contains(ratings.count) && ratings[10] > 5 * ratings[100] && ratings[100] > 5 * ratings[1_000])
        #expect((700...900).contains(ratings.count { $0 == 1 }))
        let averages = items.compactMap { $0["rating"]?["average"]?.double }.sorted()
        #expect(averages.allSatisfy { (1...5).contains($0) } && (4.1...4.5).contains(averages[averages.count / 2]))

        let amounts = apps.compactMap { $0["prices"]?["us"]?["amountMinor"]?.integer }.sorted()
        #expect(amounts[amounts.count / 2] < 500 && (amounts.last ?? 0) > 4_000)
        let dates = items.map { $0.text("releaseDate") }.sorted()
        #expect(dates[0] > "2011-01-01" && dates[dates.count / 2] > "2021-01-01" && dates[dates.count - 1] <= "2026-11-18")
        #expect(dates.allSatisfy { $0.wholeMatch(of: #/20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])/#) != nil })
        for locale in ["de", "ar", "ja"] { #expect((800...1_200).contains(items.count { $0.localized("title")[locale] != nil })) }
    }
}
