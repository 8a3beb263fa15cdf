import JSON
import Testing

@Suite("The canonical form")
struct CanonicalFormTests {
    @Test(
        "Texts with equal content have the same canonical text",
        arguments: [
            (#" { "b" : 1 , "a" : [ ] } "#, #"{"a":[],"b":1}"#), (#"{"\u0061\/b":"\u00e9\/\u0007"}"#, #"{"a/b":"é/\u0007"}"#),
            ("[1.0,1e2,-0,-0.0,0.10]", "[1,100,0,0,0.1]"),
            ("[1E21,1e-7,0.000001,100e-2,1e-400]", "[1e+21,1e-7,0.000001,1,0]"), ("[99999999999999999999]", "[100000000000000000000]"),
            ("[9223372036854775807,9007199254740993]", "[9223372036854775807,9007199254740993]"),
            (#"{"":0,"aa":1,"a":2,"B":3,"é":4,"z":5}"#, #"{"":0,"B":3,"a":2,"aa":1,"z":5,"é":4}"#),
            (#"{"\uE000":1,"😀":2}"#, "{\"\u{E000}\":1,\"😀\":2}"),
            (#"{"b":{"d":1,"c":2},"a":[{"f":1,"e":2}]}"#, #"{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}"#),
        ])
    func canonical(text: String, expected: String) throws {
        let canonical = try JSONDocument(parsing: text).root.canonical()
        #expect(String(decoding: canonical, as: UTF8.self) == expected)
    }

    @Test("A value inside a document has its own canonical text")
    func inner() throws {
        let node = try #require(try JSONDocument(parsing: #"[0, {"b": 1, "a": 2}]"#).root.elements.map { $0 }.last)
        #expect(String(decoding: node.canonical(), as: UTF8.self) == #"{"a":2,"b":1}"#)
    }

    @Test("A typed value has the canonical text of its JSON, and a duplicate key is an error")
    func typed() throws {
        struct Twice: JSONEncodable {
            func encode(to json: inout JSONWriter) {
                json.object {
                    $0.member("a", 1)
                    $0.member("a", 2)
                }
            }
        }
        #expect(try Shelf.Item(id: "x", rank: 1).canonicalJSON() == Array(#"{"id":"x","rank":1}"#.utf8))
        let error = try #require(throws: JSONError.self) { try Twice().canonicalJSON() }
        #expect(error.issues.map(\.code) == [.duplicateKey])
    }
}
