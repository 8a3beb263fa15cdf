import Catalog
import CatalogImport
import Foundation
import Items
import JSON
import Testing

/// Checks docs/import.md against the parsers.
@Suite("The import guide") struct ImportGuideTests {
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/import.md")

    /// Returns the only block in a language.
    private static func block(_ language: String) throws -> String {
        let parts = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```\(language)\n")
        try #require(parts.count == 2, "one block of \(language)")
        return try #require(parts[1].components(separatedBy: "```").first)
    }

    @Test("The examples of the guide are parsed without a reject, and agree about their common item")
    func examples() throws {
        let jsonl = ReadFile(try Self.block("jsonl"), vocabulary: Vocabulary())
        #expect(jsonl.rejects == [])
        #expect(jsonl.events.count == 7)
        let vocabulary = Vocabulary(categories: ["persian": .foodApp], storefronts: ["de": "EUR"])
        let csv = ReadFile(try Self.block("csv"), as: .csv, vocabulary: vocabulary)
        #expect(csv.rejects == [])
        #expect(csv.items.count == 2)
        #expect(csv.items.first?.record == jsonl.items.last?.record)
    }

    @Test("The reject in the guide is the actual output")
    func reject() throws {
        let text = Records.topApp.replacing("\"USD\"", with: "\"EUR\"")
        let reject = try #require(ReadFile("\n\n\n\n" + text).rejects.first)
        #expect(String(decoding: try reject.json(), as: UTF8.self) + "\n" == (try Self.block("json")))
    }

    @Test("The guide names every field of a record")
    func members() throws {
        let text = try String(contentsOf: Self.guide, encoding: .utf8)
        for name in CSVColumn.examples {
            let parts = name.split(separator: ".")
            // A locale and a storefront are not field names.
            for part in parts where part != "en" && part != "us" {
                #expect(text.contains("`\(part)`") || text.contains("\"\(part)\""), "\(name)")
            }
        }
    }
}
