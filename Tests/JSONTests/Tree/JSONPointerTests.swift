import JSON
import Testing

@Suite("JSONPointer")
struct JSONPointerTests {
    @Test(
        "A text of RFC 6901 parses to its tokens and prints as the same text",
        arguments: [
            ("", []), ("/", [""]), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/a~1b", ["a/b"]), ("/m~0n", ["m~n"]), ("/~01", ["~1"]),
            ("//", ["", ""]),
            ("/c%d", ["c%d"]), ("/ ", [" "]), ("/é/😀", ["é", "😀"]), ("/k\"l", ["k\"l"]),
        ] as [(String, [String])])
    func parsesAndPrints(text: String, tokens: [String]) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(pointer == JSONPointer(tokens: tokens))
        #expect(pointer.description == text)
    }

    @Test("Any other text is not a pointer", arguments: ["a", "a/b", "#/a", "~", "/~", "/~2", "/a~/b", "é"])
    func refuses(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test("Appending a token descends one level")
    func appends() {
        var pointer = JSONPointer.root.appending("a/b").appending(3)
        #expect(pointer.description == "/a~1b/3")
        pointer.append("~")
        #expect(pointer.description == "/a~1b/3/~0")
    }

    @Test("Two Unicode spellings of a letter are different keys")
    func comparesBytes() {
        #expect(JSONPointer(tokens: ["é"]) != JSONPointer(tokens: ["e\u{301}"]))
    }
}
