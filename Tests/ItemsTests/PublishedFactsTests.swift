import JSON
import TestSupport
import Testing
import Values

@testable import Items

@Suite("The facts in an outline of an item") struct PublishedFactsTests {
    /// Values of which each is wrong for some fields.
    private static let others = [
        #"null"#, #"true"#, #"-1"#, #"1.5"#, #"7"#, #""x""#, #"[]"#, #"["a"]"#, #"["a",1]"#, #"[["a"]]"#, #"{}"#, #"{"en":"x"}"#,
        #"{"en":1}"#,
        #"{"english":"x"}"#, #"{"en":"x","de":[]}"#, #"{"ios":{}}"#, #"{"ios":{},"x":"y"}"#, #"{"us":[]}"#, #"{"us":[{"until":1}]}"#,
        #"{"from":1,"to":2}"#, #"{"from":2,"to":1}"#, #"{"width":1,"height":1,"template":"/a"}"#,
    ]

    private func facts(_ document: [UInt8]) throws(JSONError) -> PublishedFacts {
        try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(PublishedFacts.self).value
    }

    @Test("An outline has the facts of the document, or none", arguments: 0..<200 as Range<UInt64>)
    func changed(seed: UInt64) throws {
        var item = RandomItem(seed: seed)
        var random = SeededRandom(seed: seed)
        let document = try JSONValue(parsing: Array(item.document().utf8), limits: .ownOutput)
        for _ in 0..<40 {
            var changed = document
            let key = try #require(document.members.randomElement(using: &random)).key
            let other = try #require(Self.others.randomElement(using: &random))
            let value = try JSONValue(parsing: Array(other.utf8), limits: .ownOutput)
            changed[key] = Bool.random(using: &random) ? nil : value
            let text = try changed.json()
            guard let outlined = PublishedFacts(outlining: text) else { continue }
            #expect(try outlined == facts(text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test("Documents in the form of the database need no other reading", arguments: 0..<200 as Range<UInt64>)
    func ordinary(seed: UInt64) throws {
        var item = RandomItem(seed: seed)
        let document = try JSONValue(parsing: Array(item.document().utf8), limits: .ownOutput).json()
        let text = Comment(rawValue: "seed \(seed): \(String(decoding: document, as: UTF8.self))")
        // Titles whose first key is not a locale are of a later release.
        guard document.firstTitleIsLocale else { return }
        #expect(try PublishedFacts(outlining: document) == facts(document), text)
    }
}

extension [UInt8] {
    fileprivate var firstTitleIsLocale: Bool {
        guard var outline = JSONOutline(self), let title = outline.value("title") else { return false }
        return title.kind == .string || title.children == .strings && outline.firstKey(title).flatMap { LocaleTag($0) } != nil
    }
}
