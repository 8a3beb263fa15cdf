import JSON
import TestSupport
import Testing
import Values

@testable import Items

@Suite("The facts of an item, found without a reading") struct PublishedFactsTests {
    /// Values of which each is wrong for some fields.
    private static let others = [
        #"null"#, #"true"#, #"-1"#, #"1.5"#, #"7"#, #""x""#, #"[]"#, #"["a"]"#, #"["a",1]"#, #"[["a"]]"#, #"{}"#, #"{"en":"x"}"#,
        #"{"en":1}"#,
        #"{"english":"x"}"#, #"{"en":"x","de":[]}"#, #"{"ios":{}}"#, #"{"ios":{},"x":"y"}"#, #"{"us":[]}"#, #"{"us":[{"until":1}]}"#,
        #"{"from":1,"to":2}"#, #"{"from":2,"to":1}"#, #"{"width":1,"height":1,"template":"/a"}"#,
    ]

    private func facts(_ document: [UInt8]) throws(JSONError) -> PublishedFacts {
        try JSONDocument(parsing: document, limits: .published).decodeLeniently(PublishedFacts.self).value
    }

    private func found(_ document: [UInt8]) throws(JSONError) -> PublishedFacts? {
        PublishedFacts(finding: JSONMemberSearch(try JSONDocument(parsing: document, limits: .published).root))
    }

    @Test("An outline and a search have the facts of the document, or none")
    func changed() throws {
        var compared = 0
        for seed in 0..<200 as Range<UInt64> {
            var item = RandomItem(seed: seed)
            var random = SeededRandom(seed: seed)
            let document = try JSONValue(parsing: Array(item.document().utf8), limits: .published)
            for _ in 0..<40 {
                var changed = document
                let key = try #require(document.members.randomElement(using: &random)).key
                let other = try #require(Self.others.randomElement(using: &random))
                let value = try JSONValue(parsing: Array(other.utf8), limits: .published)
                changed[key] = Bool.random(using: &random) ? nil : value
                let text = try changed.json()
                for found in [PublishedFacts(outlining: text), try found(text)].compactMap(\.self) {
                    compared += 1
                    #expect(try found == facts(text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
                }
            }
        }
        #expect(compared > 1_000)
    }

    @Test("Most documents in the form of the database need no other reading")
    func ordinary() throws {
        var compared: [ItemKind: Int] = [:]
        for seed in 0..<400 as Range<UInt64> {
            var item = RandomItem(seed: seed)
            let document = try JSONValue(parsing: Array(item.document().utf8), limits: .published).json()
            guard let outlined = PublishedFacts(outlining: document), let found = try found(document) else { continue }
            compared[outlined.kind, default: 0] += 1
            let facts = try facts(document)
            #expect(outlined == facts && found == facts, "seed \(seed): \(String(decoding: document, as: UTF8.self))")
        }
        for kind in ItemKind.allCases { #expect(compared[kind] ?? 0 > 100, "\(kind)") }
    }
}
