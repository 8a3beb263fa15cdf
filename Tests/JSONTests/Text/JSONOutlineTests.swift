import JSON
import Testing

@Suite("The outline of an object") struct JSONOutlineTests {
    @Test("The members of an outline are those of the document", arguments: 0..<100 as Range<UInt64>)
    func members(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        for _ in 0..<20 {
            let value = random.document()
            for style in [JSONWriter.Style.compact, .pretty] {
                let text = try value.json(style)
                let root = try JSONDocument(parsing: text, limits: .ownOutput).root
                guard var outline = JSONOutline(text) else {
                    // Only a key with an escape is a reason.
                    #expect(root.kind != .object || root.members.contains { $0.key.utf8.contains(where: \.needsEscape) }, "seed \(seed)")
                    continue
                }
                #expect(root.kind == .object, "seed \(seed)")
                for member in Array(root.members).shuffled(using: &random) {
                    let value = outline.value(member.key)
                    let found = try #require(value, "seed \(seed)")
                    #expect(found.kind == member.value.kind && found.range == member.value.range, "seed \(seed)")
                    #expect(found.children == JSONOutline.Children(member.value), "seed \(seed)")
                    #expect(try JSONValue(outline.document(found).root) == JSONValue(member.value), "seed \(seed)")
                    if let text = outline.text(found) { #expect(text == member.value.string, "seed \(seed)") }
                }
                let absent = outline.value("a key that no random document has")
                #expect(absent == nil)
            }
        }
    }

    @Test("The first key of an object and the text of a string are known unless they have escapes")
    func texts() throws {
        var outline = try #require(JSONOutline(Array(#" { "a" : { "x\n" : 1 }, "b":{"y":[]},"c":"d\"","e":"f" , "g":{} } "#.utf8)))
        let values = ["a", "b", "c", "e", "g"].compactMap { outline.value($0) }
        #expect(values.map { outline.firstKey($0) } == [nil, "y", nil, nil, nil])
        #expect(values.map { outline.text($0) } == [nil, nil, nil, "f", nil])
    }

    @Test(
        "A text that is no object has no outline",
        arguments: [
            "", " ", "[]", "1", "{", "}", "{}x", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{\"a\":[}", "{\"a\":\"", "{\"a\":\"\\",
            "{\"a\":{\"b\":\"}", "{a:1}", "{\"a\":x}", "{\"a\\n\":1}", "{\"a\n\":1}",
        ])
    func refused(text: String) { #expect(JSONOutline(Array(text.utf8)).map { _ in true } == nil) }
}

extension JSONOutline.Children {
    fileprivate init(_ node: JSONNode) {
        let children = Array(node.elements) + node.members.map(\.value)
        self = children.reduce(into: []) { kinds, child in
            switch child.kind {
            case .string: kinds.insert(.strings)
            case .object: kinds.insert(.objects)
            case .null, .bool, .number, .array: kinds.insert(.others)
            }
        }
    }
}

extension UInt8 {
    fileprivate var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
