import JSON
import Testing

@Suite("JSONDocument")
struct JSONDocumentTests {
    @Test(
        "A text of RFC 8259 is parsed",
        arguments: [AcceptedTexts.arrays, AcceptedTexts.objects, AcceptedTexts.numbers, AcceptedTexts.strings, AcceptedTexts.words].flatMap(
            \.self))
    func accepts(_ text: String) throws {
        let document = try JSONDocument(parsing: text)
        #expect(document.source == Array(text.utf8))
    }

    @Test(
        "Any other text is rejected with a code and a position",
        arguments: [
            RejectedText.structures, RejectedText.objects, RejectedText.numbers, RejectedText.literals, RejectedText.strings,
            RejectedText.encodings,
        ].flatMap(\.self))
    func refuses(_ text: RejectedText) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text.source) }
        let issue = try #require(error.issues.first)
        #expect(error.issues.count == 1)
        #expect(issue.code == text.code)
        #expect(issue.position.column == text.column)
        #expect(!issue.message.isEmpty)
    }

    @Test(
        "The pointer of a syntax error is the innermost known value",
        arguments: [
            ("x", ""), ("[x]", "/0"), ("[1,x]", "/1"), ("[1 x]", ""), ("[[1],[x]]", "/1/0"), (#"{"a":x}"#, "/a"), (#"{"a" x}"#, "/a"),
            (#"{"a":1 x}"#, ""),
            (#"{"a":1,x}"#, ""), (#"{"a":{"b/c":[1,{"d~":nul}]}}"#, "/a/b~1c/1/d~0"), (#"{"a":{"b":1,"b":2}}"#, "/a"),
            (#"[{"a":[],"b":"\q"}]"#, "/0/b"),
            (#"{"\u0061":[1,2,]}"#, "/a"), ("[[[],[[]],x]]", "/0/2"), ("[1,2", ""), (#"{"a":[1,"#, "/a/1"), ("{} x", ""),
        ])
    func pointsAtIssues(text: String, pointer: String) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
        #expect(error.issues.first?.pointer.description == pointer)
    }

    @Test("Lines end at LF, and columns count Unicode scalars")
    func positions() throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: "{\r\n  \"é😀\": 1,\n  \"e\u{301}\": x\n}") }
        #expect(error.issues.first?.position == JSONPosition(line: 3, column: 9))
        #expect(error.description == "line 3, column 9 (/e\u{301}): expected a value, found `x` [UNEXPECTED_CHARACTER]")
    }

    @Test(
        "The hint for syntax of other languages names the JSON equivalent",
        arguments: [
            ("'a'", "double quotes"), ("[// one\n1]", "no comments"), ("+1", "no sign"), ("[.5]", "0.5"), ("[NaN]", "NaN and infinity"),
            ("True", "lowercase"),
            (#""\x41""#, "hexadecimal"), (#""\ud83d""#, #"\ud83d\ude00"#), ("[1,]", "remove the comma"), ("\"\t\"", #"\t"#),
        ])
    func hints(text: String, hint: String) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
        #expect(error.issues.first?.hint?.contains(hint) == true)
    }

    @Test("A pointer finds its value, and the value has its pointer, line and column")
    func findsByPointer() throws {
        let document = try JSONDocument(parsing: "{\"a/b\": [10,\n {\"\": [true]}], \"~\": \"x\"}")
        for (text, line, column) in [
            ("", 1, 1), ("/a~1b", 1, 9), ("/a~1b/0", 1, 10), ("/a~1b/1", 2, 2), ("/a~1b/1//0", 2, 8), ("/~0", 2, 22),
        ] {
            let pointer = try #require(JSONPointer(text))
            let node = try #require(document[pointer])
            #expect(node.pointer.description == text)
            #expect(node.position == JSONPosition(line: line, column: column))
        }
        for text in ["/c", "/a~1b/2", "/a~1b/00", "/a~1b/-", "/a~1b/-1", "/a~1b/1/0", "/~0/0", "/a~1b/99999999999999999999"] {
            let pointer = try #require(JSONPointer(text))
            #expect(document[pointer]?.kind == nil)
        }
    }
}
