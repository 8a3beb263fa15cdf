import HTTPMessages
import TestSupport
import Testing

@Suite("Request targets and queries")
struct RequestTargetTests {
    private func target(_ text: String) throws(RequestError) -> RequestTarget { try RequestTarget(parsing: Array(text.utf8).span) }

    @Test("The first value and all values are found by the bytes of a name")
    func names() throws {
        let query = try target("/?a=1&b=2&a=3&%C3%A9=composed&e%CC%81=decomposed").query
        #expect(query["a"] == "1")
        #expect(query.all("a") == ["1", "3"])
        #expect(query["c"] == nil)
        #expect(query.all("c").isEmpty)
        #expect(query["\u{E9}"] == "composed")
        #expect(query["e\u{301}"] == "decomposed")
    }

    @Test("A target without a leading slash is invalid", arguments: ["", "a", "?a", "*"])
    func noSlash(text: String) {
        #expect(throws: RequestError.self) { try target(text) }
    }

    @Test("Escaped text is decoded without loss in paths and queries")
    func escapes() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let texts = (0..<4).map { _ in text(&random) }
            let escaped = texts.map { $0.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
            let target = try target("/\(escaped[0])/\(escaped[1])?\(escaped[2])=\(escaped[3])")
            #expect(target.segments == Array(texts[..<2]), "seed \(seed)")
            #expect(target.query.all(texts[2]) == [texts[3]], "seed \(seed)")
        }
    }

    /// Returns a random text that is neither empty nor only dots, without U+0000.
    private func text(_ random: inout SeededRandom) -> String {
        let scalars = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 1...([0x7F, 0x2FF, 0x10FFFF].randomElement(using: &random) ?? 0x7F), using: &random))
        }
        return "x" + String(String.UnicodeScalarView(scalars))
    }
}
