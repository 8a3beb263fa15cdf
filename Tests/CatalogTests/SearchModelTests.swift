import Items
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import Catalog

/// Random searches in random catalogs. Fewer items match than a page has, so that no limit applies.
@Suite("The search, compared with a naive model", .databaseForEachTest)
struct SearchModelTests {
    /// Words of titles. Some begin with others, and some are in scripts without spaces.
    private static let written = [
        "Harbor", "Harb", "Notes", "Note", "Café", "Größe", "Gr", "N", "日本語", "本語", "語", "メモ帳", "メモ", "كتاب", "كتا", "7",
        "Note帳簿", "本7",
    ]
    private static let folds: [Character: String] = ["é": "e", "ö": "o", "ß": "ss", "メ": "め", "モ": "も"]

    private static func folded(_ text: String) -> String { text.lowercased().map { folds[$0] ?? String($0) }.joined() }

    private static func isUnspaced(_ part: String) -> Bool { part.unicodeScalars.contains { (0x3005...0x9FFF).contains($0.value) } }

    /// Returns the words of a folded text. Each two letters of an unspaced part are a word, and so is its last letter.
    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").flatMap { part in
            var runs: [String] = []
            for letter in part.map(String.init) {
                if let last = runs.last, isUnspaced(last) == isUnspaced(letter) {
                    runs[runs.count - 1] = last + letter
                } else {
                    runs.append(letter)
                }
            }
            return runs.flatMap { run in
                let letters = run.map(String.init)
                return isUnspaced(run) ? letters.indices.map { letters[$0] + ($0 + 1 < letters.count ? letters[$0 + 1] : "") } : [run]
            }
        }
    }

    private struct Item {
        let slug: String
        let titles: [String: String]
        let subtitle: String?
        let developer: String
        let rating: (hundredths: Int, count: Int)?
        /// The only storefront of the item. It is then a FoodApp, without a subtitle.
        let storefront: String?

        var sql: String {
            let titles = "'{\(titles.map { #""\#($0.key)": "\#($0.value)""# }.sorted().joined(separator: ", "))}'"
            let rated = rating.map { "rating => \($0.hundredths) / 100.0, ratings => \($0.count)" } ?? "rating => NULL"
            if let storefront { return "SELECT pg_temp.food_app('\(slug)', \(titles), storefront => '\(storefront)', \(rated));" }
            let subtitle = subtitle.map { "'\($0)'" } ?? "NULL"
            return "SELECT pg_temp.top_app('\(slug)', \(titles), developer => '\(developer)', subtitle => \(subtitle), \(rated));"
        }

        /// Returns the class in which the item matches a folded text, or nil if it does not match. Each word can be a beginning, or
        /// only the last one.
        func matchClass(_ text: String, eachIsBeginning: Bool) -> Int? {
            let folded = titles.values.map(SearchModelTests.folded)
            let elsewhere = storefront == nil ? [subtitle ?? "", developer] : ["Saffron", "thai"]
            let all = (folded + elsewhere.map(SearchModelTests.folded)).flatMap(SearchModelTests.words)
            let asked = SearchModelTests.words(text)
            for (index, word) in asked.enumerated() {
                let isBeginning = eachIsBeginning || index == asked.count - 1 || SearchModelTests.isUnspaced(word) && word.count == 1
                guard all.contains(where: { isBeginning ? $0.hasPrefix(word) : $0 == word }) else { return nil }
            }
            if folded.contains(text) { return 6 }
            if folded.contains(where: { $0.hasPrefix(text) }) { return 5 }
            if folded.contains(where: { " \($0) ".contains(" \(text) ") }) { return 4 }
            let parts = text.split(separator: " ").map(String.init)
            let spaced = parts.filter { !SearchModelTests.isUnspaced($0) }
            if parts.contains(where: { part in SearchModelTests.isUnspaced(part) && !folded.contains { $0.contains(part) } }) { return 0 }
            let inTitles = folded.flatMap { $0.split(separator: " ").map(String.init) }
            if spaced.allSatisfy(inTitles.contains) { return 3 }
            if folded.contains(where: { " \($0)".contains(" \(text)") }) { return 2 }
            return spaced.allSatisfy { word in inTitles.contains { $0.hasPrefix(word) } } ? 1 : 0
        }
    }

    private static func item(_ number: Int, _ random: inout SeededRandom) -> Item {
        var titles = ["en": text(1...4, &random)]
        for locale in ["de", "ja", "ar"] where Int.random(in: 0..<3, using: &random) == 0 { titles[locale] = text(1...3, &random) }
        let isRated = Bool.random(using: &random)
        return Item(
            slug: "item-\(number)", titles: titles, subtitle: Bool.random(using: &random) ? text(1...3, &random) : nil,
            developer: text(1...2, &random),
            rating: isRated ? rating(&random) : nil,
            storefront: Int.random(in: 0..<4, using: &random) == 0 ? ["us", "de"].randomElement(using: &random) : nil)
    }

    /// Returns one of few counts, so that IDs decide the order of some items.
    private static func rating(_ random: inout SeededRandom) -> (hundredths: Int, count: Int) {
        ([300, 350, 450, 490].randomElement(using: &random) ?? 300, 1 + 40 * Int.random(in: 0...5, using: &random))
    }

    private static func text(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in written.randomElement(using: &random) ?? "N" }.joined(separator: " ")
    }

    /// Returns a text of random words or a part of a title. Its last word can be the beginning of a word.
    private static func query(_ items: [Item], _ random: inout SeededRandom) -> String {
        var words = text(1...3, &random).split(separator: " ").map(String.init)
        if Bool.random(using: &random), let title = items.randomElement(using: &random)?.titles["en"] {
            let parts = title.split(separator: " ").map(String.init)
            words = Array(parts.dropFirst(Int.random(in: 0..<parts.count, using: &random)))
        }
        if Bool.random(using: &random), let last = words.popLast() {
            words.append(String(last.prefix(Int.random(in: 1...last.count, using: &random))))
        }
        return words.joined(separator: Bool.random(using: &random) ? " " : " - ")
    }

    @Test("Every page has the matches of the model, in its order, without repeats", arguments: Seeds.fixed(4))
    func model(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let items = (0..<70).map { Self.item($0, &random) }
        let searches = (0..<150).map { _ in
            (
                text: Self.query(items, &random), storefront: ["us", "de"].randomElement(using: &random) ?? "us",
                rating: [0, 0, 350, 450].randomElement(using: &random) ?? 0, limit: Int.random(in: 1...9, using: &random)
            )
        }
        try await Fixture.run(items.map(\.sql).joined(separator: "\n")) { connection, reader async throws in
            let ids = try await connection.rows(
                of: PostgresQuery("ids", "SELECT slug, id::text FROM vitrine.items"), as: String.self, String.self, until: .soon)
            let id = Dictionary(uniqueKeysWithValues: ids)
            // Without statistics, no storefront is wide.
            if seed.isMultiple(of: 2) {
                try await connection.runScript("analyze", "ANALYZE vitrine.search_documents", until: .soon)
                for key in ["us", "de"] { #expect(try await reader.isWide(key), "seed \(seed): \(key)") }
            }
            var found = 0
            for search in searches {
                let folded = Self.folded(search.text.replacing(" - ", with: " "))
                var matches: [(matchClass: Int, count: Int, id: String, slug: String)] = []
                for eachIsBeginning in [false, true] where matches.isEmpty {
                    for item in items where item.storefront.map({ $0 == search.storefront }) ?? true {
                        guard item.rating?.hundredths ?? 0 >= search.rating,
                            let matchClass = item.matchClass(folded, eachIsBeginning: eachIsBeginning)
                        else { continue }
                        matches.append((matchClass, item.rating?.count ?? 0, id[item.slug] ?? "", item.slug))
                    }
                }
                matches.sort { ($0.matchClass, $0.count, $0.id) > ($1.matchClass, $1.count, $1.id) }
                var filter = ItemFilter()
                filter.minimumRating = search.rating
                let storefront = try await reader.site(search.storefront)
                var slugs: [String] = []
                var position: [String]?
                var isCorrected = false
                repeat {
                    let page = try await reader.search(search.text, filter, in: storefront, after: position, limit: search.limit)
                    slugs += page.items.map(\.slug)
                    isCorrected = page.correctedSearch != nil
                    position = page.next
                } while position != nil && slugs.count <= items.count
                // A text without matches can be corrected.
                #expect(isCorrected ? matches.isEmpty : slugs == matches.map(\.slug), "seed \(seed): \(search)")
                found += matches.count
            }
            #expect(found > (Seeds.isFixed(seed, of: 4) ? 300 : 0), "seed \(seed)")
        }
    }
}
