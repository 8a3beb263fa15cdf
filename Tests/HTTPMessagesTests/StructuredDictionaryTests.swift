import TestSupport
import Testing

@testable import HTTPMessages

@Suite("A dictionary of structured fields")
struct StructuredDictionaryTests {
    @Test("A dictionary is parsed with strings, tokens, numbers, Booleans and lists")
    func values() throws {
        let text = #"version=1, width=390.5, name="a \"b\" \\", token=ios/17:x, on, off=?0, list=("x" y 3);q=1, empty=(), x;a=1;b, last=-2"#
        let dictionary = try #require(StructuredDictionary(text))
        #expect(dictionary.number("version") == 1)
        #expect(dictionary.number("width") == 390.5)
        #expect(dictionary.text("name") == #"a "b" \"#)
        #expect(dictionary.text("token") == "ios/17:x")
        #expect(dictionary.members["on"] == .boolean(true))
        #expect(dictionary.members["off"] == .boolean(false))
        #expect(dictionary.members["list"] == .list([.text("x"), .text("y"), .number(3)]))
        #expect(dictionary.texts("empty") == [])
        #expect(dictionary.texts("list") == nil)
        #expect(dictionary.members["x"] == .boolean(true))
        #expect(dictionary.number("last") == -2)
        #expect(dictionary.text("version") == nil)
        #expect(StructuredDictionary("")?.members == [:])
        #expect(StructuredDictionary("a=1, a=2")?.number("a") == 2)
        for last in ["a=\"x\"", "a=(1)", "a"] { #expect(StructuredDictionary("a=1, ab=3, \(last)")?.number("a") == nil, "\(last)") }
        #expect(StructuredDictionary("a=(x), a=\"y\"")?.text("a") == "y" && StructuredDictionary("a=y, a=(x)")?.text("a") == nil)
        #expect(StructuredDictionary("a=y, a=(x)")?.members == ["a": .list([.text("x")])])
    }

    @Test("A number is the nearest one to its decimal text", arguments: Seeds.fixed(2))
    func numbers(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let digits = Int.random(in: 1...12, using: &random)
            var text = Bool.random(using: &random) ? "-" : ""
            for _ in 0..<digits { text += "\(Int.random(in: 0...9, using: &random))" }
            let decimals = Int.random(in: 0...3, using: &random)
            if decimals > 0 { text += "." }
            for _ in 0..<decimals { text += "\(Int.random(in: 0...9, using: &random))" }
            let dictionary = try #require(StructuredDictionary("a=\(text)"))
            try #require(dictionary.number("a") == Double(text), "\(text)")
        }
    }

    @Test(
        "A dictionary with a malformed member is invalid",
        arguments: [
            "a=", "a=1,", ",a=1", "A=1", "a=1 b=2", "a=\"x", "a=\"\u{7F}\"", "a=\"é\"", #"a="\x""#, "a=(1 2", "a=(1,2)", "a=(\"x\"\"y\")",
            "a=--1",
            "a=1.", "a=1.2345", "a=1234567890123456", "a=1234567890123.1", "a=?2", "a;=1", "a=1;B", "a=@1", "a=:YQ==", "=1", "a==1",
            "a=1;;",
        ])
    func malformed(text: String) {
        #expect(StructuredDictionary(text) == nil)
    }

    @Test("A dictionary is parsed from all fields of its name, and is invalid if they are too long")
    func fields() {
        var fields = HTTPFields()
        fields.append(name: Array("vitrine-client".utf8).span, value: Array("a=1".utf8).span)
        fields.append(name: Array("vitrine-client".utf8).span, value: Array("b=(x)".utf8).span)
        #expect(StructuredDictionary("vitrine-client", of: fields)?.texts("b") == ["x"])
        #expect(StructuredDictionary("vitrine-layout", of: fields) == nil)
        fields.append(name: Array("vitrine-client".utf8).span, value: Array("c=\"\(String(repeating: "x", count: 4_096))\"".utf8).span)
        #expect(StructuredDictionary("vitrine-client", of: fields) == nil)
    }
}
