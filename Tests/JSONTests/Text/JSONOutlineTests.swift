import JSON
import Testing

@Suite("The outline of an object") struct JSONOutlineTests {
    @Test("The members of an outline are those of the document", arguments: 0..<100 as Range<UInt64>)
    func members(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed, isPlain: seed.isMultiple(of: 2))
        for _ in 0..<20 {
            let value = random.document()
            for style in [JSONWriter.Style.compact, .pretty] {
                let text = try value.json(style)
                let root = try JSONDocument(parsing: text, limits: .ownOutput).root
                guard var outline = JSONOutline(text) else {
                    // Only a key with an escape is a reason, if there are no numbers with exponents and no escapes of control characters.
                    let hasReason = root.kind != .object || root.members.contains { $0.key.utf8.contains(where: \.needsEscape) }
                    #expect(hasReason || !seed.isMultiple(of: 2), "seed \(seed)")
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
    func refused(text: String) { #expect(!hasOutline(text)) }

    @Test(
        "A text that its parser may refuse has no outline",
        arguments: [
            "1e999", "-1E999", "1e2", String(repeating: "1", count: 400), "[1,1e999]", #"{"b":{"c":1E5}}"#, #""\u0000""#, #""\ud800""#,
            #"["a\n\u0000"]"#, #"{"\ud800":1}"#, #"{"b":[{"c":"\u0000"}]}"#,
        ])
    func undecided(value: String) {
        #expect(!hasOutline(#"{"a":\#(value)}"#) && !hasOutline(#"{"a":1,"b":\#(value),"c":2}"#))
    }

    @Test("An object with the same key twice has no outline, and neither has one with many members")
    func repeatedKeys() {
        #expect(hasOutline(#"{"a":1,"b":2,"c":3}"#) && !hasOutline(#"{"a":1,"b":2,"a":3}"#))
        func object(_ count: Int, last: String) -> String {
            "{\((0..<count).map { #""key \#($0)":\#($0)"# }.joined(separator: ",")),\"\(last)\":0}"
        }
        let count = JSONOutline.maxMembers - 1
        for number in 0..<count { #expect(!hasOutline(object(count, last: "key \(number)")), "key \(number)") }
        #expect(hasOutline(object(count, last: "last")) && !hasOutline(object(count + 1, last: "last")))
    }

    @Test("An outline has as many levels as a document", arguments: [("[", "]"), (#"{"b":"#, "}"), (#"[{"b":"#, "}]")])
    func depth(open: String, close: String) {
        for count in 250...512 {
            let text = #"{"a":\#(String(repeating: open, count: count))1\#(String(repeating: close, count: count))}"#
            #expect(hasOutline(text) == isDocument(text), "\(count)")
        }
    }

    @Test("A long number without an exponent has an outline only if it is in the range of a double")
    func longNumbers() {
        for count in 290...320 {
            let text = #"{"a":[\#(String(repeating: "9", count: count))]}"#
            #expect(!hasOutline(text) || isDocument(text), "\(count)")
        }
        #expect(hasOutline(#"{"a":\#(String(repeating: "9", count: 300))}"#))
    }

    private func hasOutline(_ text: String) -> Bool { JSONOutline(Array(text.utf8)).map { _ in true } ?? false }

    private func isDocument(_ text: String) -> Bool {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: text, limits: .published)
            return true
        } catch {
            return false
        }
    }
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
