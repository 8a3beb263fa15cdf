import JSON
import Testing
import Values

@testable import Items

@Suite("The published document of an item") struct ItemDocumentTests {
    private static let document = """
        {"kind":"topApp","id":"a3f7b417-5eb3-c1da-2f47-7685808422a5","serialNumber":7,"slug":"quay","title":{"de":"Kai","en":"Quay"},\
        "image":{"alt":{"en":"A quay"}},"categories":["tools"],"availability":{"us":[{"from":"2026-01-01T00:00:00.000000Z"}]},\
        "bundleId":"org.quay","developer":"Quay Labs","appVersion":"1.0","sizeBytes":1000,"platforms":["ios"],"ageRating":"4+",\
        "releaseDate":"2024-05-01"}
        """

    /// Reads a document in which one part is replaced.
    private func read(_ part: String = "kind", _ other: String = "kind") throws -> ItemDocument {
        try ItemDocument(try text(part, other))
    }

    private func text(_ part: String, _ other: String) throws -> [UInt8] {
        try #require(Self.document.contains(part))
        return Array(Self.document.replacing(part, with: other).utf8)
    }

    @Test("Two contents are equal exactly if all of their fields are")
    func equality() throws {
        let content = try read().content
        #expect(try content == read().content)
        for (part, other) in [
            ("Kai", "Ufer"), ("A quay", "Water"), ("tools", "games"), (#""us":"#, #""de":"#), ("Quay Labs", "Other"),
        ] { #expect(try content != read(part, other).content, "\(part)") }
        // A field that is added here has to be compared too.
        #expect(Mirror(reflecting: content).children.count == 9)
    }

    @Test("A document groups the texts of an item by locale")
    func texts() throws {
        let item = try read()
        #expect(item.serialNumber == 7 && item.content.images.icon == nil && item.content.kind == .topApp)
        #expect(item.content.texts.map(\.locale.text) == ["de", "en"])
        #expect(item.content.texts.map(\.imageAlt) == [nil, "A quay"])
    }

    @Test("A document has the icon with the texts of the item, and the other images by role")
    func images() throws {
        let icon = #""image":{"template":"/{w}/{h}","width":8,"height":8,"alt":{"en":"A quay"}}"#
        let others =
            #""images":{"hero":{"template":"/h/{w}/{h}","width":16,"height":9},"screenshot":[{"template":"/s","width":1,"height":2}]}"#
        let content = try read(#""image":{"alt":{"en":"A quay"}}"#, "\(icon),\(others)").content
        #expect(content.images.icon?.standard.light.template == "/{w}/{h}" && content.images.icon?.alt == [:])
        #expect(content.texts.map(\.imageAlt) == [nil, "A quay"])
        #expect(
            content.images.all.map { "\($0.role) \($0.place) \($0.image.standard.light.template)" }
                == ["hero 0 /h/{w}/{h}", "icon 0 /{w}/{h}", "screenshot 0 /s"])
    }

    @Test(
        "An unreadable image leaves the rest of the item readable",
        arguments: [#""frame":1"#, #""template":1,"width":8,"height":8"#, #""url":"/a","width":8,"height":8"#])
    func unreadableImages(icon: String) throws {
        let image = #"{"template":"/{w}/{h}","width":8,"height":8}"#
        let others = #""images":{"hero":\#(image),"later":{"frames":[]},"none":[1],"screenshot":[\#(image),{"width":1},\#(image)]}"#
        let content = try read(#""image":{"alt":{"en":"A quay"}}"#, #""image":{"alt":{"en":"A quay"},\#(icon)},\#(others)"#).content
        #expect(content.images.icon == nil && content.texts.map(\.imageAlt) == [nil, "A quay"])
        #expect(content.images.all.map { "\($0.role) \($0.place)" } == ["hero 0", "screenshot 0", "screenshot 1"])
    }

    @Test(
        "A document may contain values of a later version, and values that were saved before a rule rejected them",
        arguments: [
            ("\"ios\"", "\"ios\",\"visor\""), ("\"4+\"", "\"6+\""), ("\"sizeBytes\"", "\"weight\":1,\"sizeBytes\""),
            ("\"en\":\"Quay\"", "\"en\":\"Quay\",\"english\":\"Quay\""),
            ("\"releaseDate\"", "\"homepage\":\"https://x/ a\",\"releaseDate\""),
        ])
    func later(part: String, other: String) throws {
        #expect(try read(part, other).content.texts == (try read()).content.texts)
        #expect(try Item(version: 3, document: text(part, other)).version == 3)
    }

    @Test(
        "A document without a valid kind, title or availability is rejected",
        arguments: [
            ("\"kind\":\"topApp\",", ""), ("\"topApp\"", "\"midApp\""), ("\"title\":{\"de\":\"Kai\",\"en\":\"Quay\"},", ""),
            ("\"us\":[{", "\"us\":[{\"until\":1,"), ("2026-01-01T", "2026-02-30T"), ("\"availability\":{", "\"availability\":{\"de\":1,"),
        ])
    func refused(part: String, other: String) {
        #expect(throws: JSONError.self) { try read(part, other) }
        #expect(throws: JSONError.self) { try Item(version: 3, document: text(part, other)) }
    }
}
