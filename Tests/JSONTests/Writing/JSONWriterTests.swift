import JSON
import Testing
import Values

@Suite("JSONWriter")
struct JSONWriterTests {
    private func text(_ style: JSONWriter.Style = .compact, _ body: (inout JSONWriter) -> Void) throws -> String {
        var writer = JSONWriter(style)
        body(&writer)
        return String(decoding: try writer.finish(), as: UTF8.self)
    }

    private func sample(_ json: inout JSONWriter) {
        json.object {
            $0.member("a", 1)
            $0.member("none", String?.none)
            $0.member("b", [true, false])
            $0.member("c", [Int]())
            $0.member("d") { _ in }
            $0.key("e")
            $0.array {
                $0.null()
                $0.object { $0.member("f", "g") }
            }
        }
    }

    @Test("The compact form has no spaces, and a nil member is omitted")
    func compact() throws {
        #expect(try text { sample(&$0) } == #"{"a":1,"b":[true,false],"c":[],"d":{},"e":[null,{"f":"g"}]}"#)
    }

    @Test("A failure makes the end of a text throw it, the first one if there are several")
    func failures() throws {
        let errors = ["1e999", "[1,]"].compactMap { text in #expect(throws: JSONError.self) { try JSONDocument(parsing: text) } }
        let thrown = #expect(throws: JSONError.self) {
            try text { json in json.array { json in for error in errors { json.fail(with: error) } } }
        }
        #expect(errors.count == 2 && thrown?.issues.map(\.code) == [.numberOutOfRange])
    }

    @Test("A copied value has the text that its writer would write", arguments: 0..<40 as Range<UInt64>)
    func copies(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed)
        for _ in 0..<20 {
            let value = random.document()
            for style in [JSONWriter.Style.compact, .pretty] {
                let copied = try JSONDocument(parsing: value.json(style), limits: .ownOutput).root
                for other in [JSONWriter.Style.compact, .pretty] {
                    #expect(try text(other) { $0.value(copying: copied) } == text(other) { $0.value(value) }, "seed \(seed)")
                }
            }
        }
    }

    @Test("A copied text has only the escapes that it needs, and a copied number keeps its text")
    func spellings() throws {
        let document = try JSONDocument(parsing: #"{ "\u0061\/" : [ "\u00e9\"\n", 1.50, -0, 1E2 ], "b":{} }"#)
        #expect(try text { $0.value(copying: document.root) } == #"{"a/":["é\"\n",1.50,-0,1E2],"b":{}}"#)
        let members = Array(document.root.members)
        let written = try text { json in
            json.object { json in
                json.member("first", copying: document.root["b"])
                json.member("absent", copying: document.root["c"])
                for member in members {
                    json.key(copying: member)
                    json.value(copying: member.value)
                }
                json.key("parts")
                json.string("a\"", "b", "\n")
            }
        }
        #expect(written == #"{"first":{},"a/":["é\"\n",1.50,-0,1E2],"b":{},"parts":"a\"b\n"}"#)
    }

    @Test("A copy has neither spaces nor comments, wherever the document has them", arguments: ["", " ", "\n", "/**/", "//\n"])
    func spaces(gap: String) throws {
        let tokens = #"{ "a" : [ 1 , [ ] , { "é" : null } ] , "b" : { } }"#.split(separator: " ").map(String.init)
        let expected = tokens.joined()
        for position in tokens.indices.dropFirst() {
            let source = tokens[..<position].joined() + gap + tokens[position...].joined()
            let root = try JSONDocument(parsing: source, notation: .commented).root
            #expect(try text { $0.value(copying: root) } == expected, "a gap at \(position)")
            #expect(try text { $0.object { $0.members(copying: root) } } == expected, "a gap at \(position)")
            var fields = JSONMemberSearch(root)
            let members = try text { json in
                json.object { json in for key in ["b", "a", "c"] { json.member(copying: key, of: &fields) } }
            }
            #expect(members == #"{"b":{},"a":[1,[],{"é":null}]}"#, "a gap at \(position)")
        }
    }

    @Test("A copied member has the escapes that it needs, and one that is null is omitted")
    func members() throws {
        let root = try JSONDocument(parsing: #"{"a\/":1,"none":null,"c":["\u0061"],"d":-0}"#).root
        var fields = JSONMemberSearch(root)
        func write(_ json: inout JSONWriter) {
            json.object { json in
                json.member("first", 0)
                for key in ["a/", "none", "c", "d", "e"] { json.member(copying: key, of: &fields) }
                json.member("last", 9)
            }
        }
        #expect(try text { write(&$0) } == #"{"first":0,"a/":1,"c":["a"],"d":-0,"last":9}"#)
        #expect(
            try text(.pretty) { json in json.object { $0.members(copying: root) } }
                == "{\n  \"a/\": 1,\n  \"none\": null,\n  \"c\": [\n    \"a\"\n  ],\n  \"d\": -0\n}")
    }

    @Test("A trailing comma of a commented document is not copied")
    func trailingCommas() throws {
        let root = try JSONDocument(parsing: #"{"a":[1,],"b":{"c":2,},}"#, notation: .commented).root
        #expect(try text { $0.value(copying: root) } == #"{"a":[1],"b":{"c":2}}"#)
    }

    @Test("An ID is written as a string, or between the parts of one")
    func ids() throws {
        let id = UUID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        let written = try text { json in
            json.array { json in
                json.string(id)
                json.string("a\"", id, "\n")
            }
        }
        #expect(written == #"["01234567-89ab-cdef-fedc-ba9876543210","a\"01234567-89ab-cdef-fedc-ba9876543210\n"]"#)
    }

    @Test("A container holds only one kind if each of its values has it")
    func kinds() throws {
        let root = try JSONDocument(parsing: #"{"a":["x",[1],"y"],"b":["x","y"],"c":{"d":{"e":1},"f":{}},"g":[]}"#).root
        #expect(root["b"]?.holdsOnly(.string) == true && root["a"]?.holdsOnly(.string) == false)
        #expect(root["c"]?.holdsOnly(.object) == true && root.holdsOnly(.array) == false && root["g"]?.holdsOnly(.number) == true)
        #expect(root["b"]?.elements.first { _ in true }?.holdsOnly(.string) == false)
        #expect(root["c"]?["f"]?.kind == .object && root["b"]?["f"] == nil && root["c"]?["e"] == nil)
    }

    @Test("Members are found by their keys in any order, and null is absent")
    func search() throws {
        var search = JSONMemberSearch(try JSONDocument(parsing: #"{"a":1,"b":null,"c":3}"#).root)
        #expect(["c", "a", "b", "d", "c", "a"].map { search.value($0)?.integer } == [3, 1, nil, nil, 3, 1])
        for text in ["[]", "{}", "1"] {
            var other = JSONMemberSearch(try JSONDocument(parsing: text).root)
            #expect(other.value("a") == nil)
        }
    }

    @Test("A member can be written element by element or from a rendered text")
    func parts() throws {
        let written = try text { json in
            json.object { json in
                json.member("squares", each: 1...3) { json, number in json.value(number * number) }
                json.member("nothing", each: [Int]()) { json, number in json.value(number) }
                json.member("before", rendered: Array("[0]".utf8))
                json.member("absent", rendered: nil)
            }
        }
        #expect(written == #"{"squares":[1,4,9],"nothing":[],"before":[0]}"#)
    }

    @Test("The pretty form has one value per line, indented by two spaces")
    func pretty() throws {
        let expected = """
            {
              "a": 1,
              "b": [
                true,
                false
              ],
              "c": [],
              "d": {},
              "e": [
                null,
                {
                  "f": "g"
                }
              ]
            }
            """
        #expect(try text(.pretty) { sample(&$0) } == expected)
    }

    @Test(
        "A string has only the escapes that RFC 8259 requires",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\u{9}\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1}\u{1F}", #""\u0000\u0001\u001f""#),
            ("\u{7F}é€😀\u{2028}", "\"\u{7F}é€😀\u{2028}\""), ("12345678\"", #""12345678\"""#), ("é\"é", #""é\"é""#), ("<>&'", #""<>&'""#),
        ])
    func strings(value: String, expected: String) throws {
        #expect(try text { $0.string(value) } == expected)
        #expect(try text { $0.object { $0.member(value, 0) } } == "{\(expected):0}")
    }

    @Test("An escape is found at each position of a text", arguments: 1...24)
    func escapes(count: Int) throws {
        for position in 0..<count {
            let (start, end) = (String(repeating: "a", count: position), String(repeating: "~", count: count - position - 1))
            for (character, escape) in [("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\u{1F}", #"\u001f"#), (" ", " "), ("é", "é")] {
                #expect(try text { $0.string(start + character + end) } == "\"\(start)\(escape)\(end)\"")
            }
        }
    }

    @Test(
        "A number is written as in ECMAScript",
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (100, "100"), (0.1, "0.1"), (4.7, "4.7"), (-0.93, "-0.93"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"), (123e-20, "1.23e-18"), (1e-6, "0.000001"), (1e-7, "1e-7"),
            (Double.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (9007199254740992, "9007199254740992"), (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3, "0.3333333333333333"),
            (123456.789, "123456.789"),
            (333333333.33333329, "333333333.3333333"), (1e23, "1e+23"), (4.5e15, "4500000000000000"), (-1.5e-10, "-1.5e-10"),
            (0.00001, "0.00001"),
            (12345678901.2345, "12345678901.2345"), (99999999999.99998, "99999999999.99998"), (2e-3, "0.002"), (1e16, "10000000000000000"),
        ] as [(Double, String)])
    func numbers(value: Double, expected: String) throws {
        #expect(try text { $0.number(value) } == expected)
    }

    @Test("Integers are written in full, the smallest and largest included")
    func integers() throws {
        #expect(try text { $0.integer(Int.min) } == "-9223372036854775808")
        #expect(try text { $0.integer(UInt64.max) } == "18446744073709551615")
        #expect(try text { $0.integer(UInt8(7)) } == "7")
        #expect(try text { $0.integer(Int128.max) } == "170141183460469231731687303715884105727")
    }

    @Test("A number that is not finite is an error with its pointer", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) throws {
        let error = try #require(throws: JSONError.self) {
            try text { $0.object { $0.member("a", [1, value]) } }
        }
        let issue = try #require(error.issues.first)
        #expect(issue.code == .notFinite)
        #expect(issue.pointer.description == "/a/1")
    }

    @Test("A rendered fragment is spliced without changes")
    func fragments() throws {
        let fragment = try Shelf.Item(id: "x").json()
        let result = try text {
            $0.array {
                $0.rendered(fragment)
                $0.rendered(fragment)
            }
        }
        #expect(result == #"[{"id":"x"},{"id":"x"}]"#)
    }

    @Test("A typed value is decoded as it was written, in both styles", arguments: [JSONWriter.Style.compact, .pretty])
    func readsBack(style: JSONWriter.Style) throws {
        var shelf = Shelf(title: "Ünï \"quoted\" \\ \u{1}")
        shelf.width = .fractionalWidth(1.0 / 3)
        shelf.maximum = 1e-9
        shelf.items = [.init(id: "a"), .init(id: "b", rank: .min)]
        shelf.labels = ["z": "1", "a": "2", "é": "3"]
        #expect(try Shelf(parsing: try shelf.json(style)) == shelf)
    }
}
