import JSON
import Testing

@Suite("JSON with comments")
struct JSONCommentTests {
    private func blank(_ random: inout RandomDocuments) -> [UInt8] {
        let blanks = ["", "", " ", "\n", "/* a, ] } \" é */", "// [ { \" ' ü\n", "/**/", "/*\n*/\t"]
        return Array((blanks.randomElement(using: &random) ?? "").utf8)
    }

    private func value(_ text: String) throws -> JSONValue {
        JSONValue(try JSONDocument(parsing: text, notation: .commented).root)
    }

    @Test(
        "A commented text has the same value as the text without its comments",
        arguments: [
            ("// a\n{\"a\": 1}", #"{"a":1}"#), ("{\"a\": 1} // a", #"{"a":1}"#), ("/* a */ [1 /**/, /* * / */ 2]", "[1,2]"),
            ("[1, 2,]", "[1,2]"), ("[1, 2, // the last\n]", "[1,2]"), ("{\"a\": [1,], }", #"{"a":[1]}"#),
            ("[\"http://a\", \"/* no */\", \"# //\"]", ##"["http://a","/* no */","# //"]"##),
            (#"["\"//", "\\", 1 /* " */]"#, #"["\"//","\\",1]"#), ("[\"a,]\", \"b\"]", #"["a,]","b"]"#), ("/* // */ 1", "1"),
            ("// /* \n 1", "1"), ("/***/ 1", "1"), ("[/* é */ 1]\r\n// ü", "[1]"),
        ])
    func same(commented: String, plain: String) throws {
        #expect(try value(commented) == JSONValue(JSONDocument(parsing: plain).root))
    }

    @Test(
        "Other deviations from JSON are rejected",
        arguments: [
            ("[,]", 1, 2, "UNEXPECTED_CHARACTER"), ("[1,,]", 1, 4, "UNEXPECTED_CHARACTER"), ("{\"a\":,}", 1, 6, "UNEXPECTED_CHARACTER"),
            ("[1],", 1, 4, "TRAILING_TEXT"), ("[1 / 2]", 1, 4, "UNEXPECTED_CHARACTER"), ("# a\n1", 1, 1, "UNEXPECTED_CHARACTER"),
            ("[1,\n/* a", 2, 1, "UNEXPECTED_END"), ("/*/ 1", 1, 1, "UNEXPECTED_END"), ("1 /", 1, 3, "UNEXPECTED_CHARACTER"),
            ("[\"a // b\n\"]", 1, 9, "CONTROL_CHARACTER"), ("// a", 1, 5, "UNEXPECTED_END"),
        ])
    func refused(text: String, line: Int, column: Int, code: String) throws {
        let error = try #require(throws: JSONError.self) { try value(text) }
        let issue = try #require(error.issues.first)
        #expect(issue.code.rawValue == code, "\(issue)")
        #expect(issue.position == JSONPosition(line: line, column: column), "\(issue)")
    }

    @Test("The default dialect rejects comments and trailing commas", arguments: ["[1,]", "// a\n1", "/**/1"])
    func strict(text: String) {
        #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
    }

    @Test("Each value keeps its position, and an issue has its pointer")
    func places() throws {
        let text = "{ /* ü\n é */ \"a\": [ /* ü */ 1, /* ä */ x]}"
        let error = try #require(throws: JSONError.self) { try value(text) }
        #expect(error.issues.first?.position == JSONPosition(line: 2, column: 33) && error.issues.first?.pointer.description == "/a/1")
        let document = try JSONDocument(parsing: text.replacing("x", with: "2"), notation: .commented)
        #expect(document.root["a"]?.elements.map(\.position.column) == [22, 33])
        #expect(String(decoding: document.source, as: UTF8.self).contains("/* ä */"))
    }

    @Test("Comments count toward the byte limit and have to be valid UTF-8")
    func limits() {
        let text = "/*\(String(repeating: "a", count: 100))*/ 1"
        #expect(throws: JSONError.self) { try JSONDocument(parsing: text, limits: .init(bytes: 100), notation: .commented) }
        #expect(throws: JSONError.self) { try JSONDocument(parsing: Array("/* ".utf8) + [0xFF] + Array("*/ 1".utf8), notation: .commented) }
    }

    @Test("Random comments between tokens do not change the value", arguments: 0..<100 as Range<UInt64>)
    func anywhere(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        let document = random.document()
        let text = try document.json(seed % 2 == 0 ? .compact : .pretty)
        var commented: [UInt8] = []
        var isInString = false
        var isEscaped = false
        var last = UInt8(ascii: "{")
        for byte in text {
            let isMark = !isInString && Array("{}[]:,".utf8).contains(byte)
            if isMark {
                let closes = byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
                let isAfterValue = last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
                if closes, isAfterValue, Bool.random(using: &random) { commented += blank(&random) + [UInt8(ascii: ",")] }
                commented += blank(&random)
            }
            commented.append(byte)
            if isMark { commented += blank(&random) }
            if byte > 0x20 { last = byte }
            let wasEscaped = isEscaped
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !wasEscaped
            if byte == UInt8(ascii: "\""), !wasEscaped { isInString.toggle() }
        }
        let read = try JSONDocument(parsing: commented, limits: .ownOutput, notation: .commented)
        #expect(JSONValue(read.root) == JSONValue(try JSONDocument(parsing: text, limits: .ownOutput).root), "seed \(seed)")
    }
}
