import Catalog
import Foundation
import Items
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("The chains of locales", .databaseForEachTest)
struct LocaleChainTests {
    /// The locales of `config/locales/chains.tsv` with their chains.
    private static func chains() throws -> [(locale: LocaleTag, chain: [String])] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/locales/chains.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try lines.map { line in
            let columns = line.split(separator: "\t").map(String.init)
            try #require(columns.count == 2)
            return (try #require(LocaleTag(columns[0])), columns[1].split(separator: " ").map(String.init))
        }
    }

    @Test("The fallbacks follow the CLDR parents, and never change the script")
    func fallbacks() throws {
        let chains = try Self.chains()
        #expect(chains.count == 60)
        for (locale, chain) in chains { #expect(locale.fallbacks.map(\.text) == chain) }
    }

    @Test("No query has its own rule for locales")
    func queries() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../sql/queries")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 5)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(/locale\s*(?:=|<>|IN|LIKE|~)\s*\(?'/), "\(file.lastPathComponent)")
        }
    }

    @Test("The database shows and sorts each title in the locale that the chain selects, in each of 60 locales")
    func titles() async throws {
        let chains = try Self.chains()
        let locales = Set(chains.flatMap(\.chain)).sorted().compactMap { LocaleTag($0) }
        // The first two letters of a title are the number of its locale, so that the order of the titles shows their locales.
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        var random = SeededRandom(seed: 60)
        let items = (0..<90).map { number in
            let texts = locales.enumerated().shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random)).map { index, locale in
                (locale, "\(letters[index / 26])\(letters[index % 26])\(number + 10)")
            }
            return (slug: "app-\(number)", titles: Dictionary(uniqueKeysWithValues: texts))
        }
        let script = items.map { item in
            let titles = item.titles.map { "\"\($0.key)\": \"\($0.value)\"" }.joined(separator: ", ")
            return "SELECT pg_temp.top_app('\(item.slug)', '{\(titles)}');"
        }
        try await Fixture.run(script.joined(separator: "\n")) { _, reader async throws in
            let storefront = try await reader.site("us")
            for locale in chains.map(\.locale) {
                let fallback = LocaleFallback(locale, in: storefront)
                let shown = items.map { (slug: $0.slug, title: fallback.pick($0.titles) ?? "") }.sorted { $0.title < $1.title }
                #expect(try await reader.slugs(by: .title, in: "us", locale.text) == shown.map(\.slug), "\(locale)")
            }
        }
    }
}
