import TestSupport
import Testing

@testable import Postgres

@Suite("The SQL scanner")
struct SQLScannerTests {
    @Test(
        "The scanner hides the text of quotations and comments",
        arguments: [
            "'$1; -- ''$2'", "E'it\\'s $1'", "e'\\\\'", "\"a \"\"$1\"\"\"", "$$ $1 ' $$", "$tag$ $$ $1 $tag$", "$t1$;$t1$", "U&'\\0061$1'",
            "b'01'",
            "-- $1 '\n''", "/* $1 /* ' */ ; */ ''",
        ])
    func hidden(sql: String) {
        #expect(SQLScanner(sql).map(\.kind) == [.quoted])
    }

    @Test("The scanner finds parameters, but not the dollar sign in a name")
    func parameters() {
        let kinds = SQLScanner("$1+$12 a$3 \"$4\" $0 $65535 $65536 $99999999999999999999").map(\.kind)
        #expect(
            kinds == [
                .parameter(1), .symbol("+"), .parameter(12), .word("a$3"), .quoted, .parameter(nil), .parameter(65_535), .parameter(nil),
                .parameter(nil),
            ])
    }

    @Test("The scanner groups operators as the server does")
    func operators() {
        let kinds = SQLScanner("2*-3 a->>b c~*d e@-f g*/*x*/h i--j").map(\.kind)
        #expect(
            kinds == [
                .number, .symbol("*"), .symbol("-"), .number, .word("a"), .symbol("->>"), .word("b"), .word("c"), .symbol("~*"), .word("d"),
                .word("e"), .symbol("@-"), .word("f"), .word("g"), .symbol("*"), .word("h"), .word("i"),
            ])
    }

    @Test("The scanner folds the case of words and counts lines")
    func lines() {
        let tokens = Array(SQLScanner("SELECT\n'a\nb' /* \n */ Ünder", line: 10))
        #expect(tokens.map(\.line) == [10, 11, 13])
        #expect(tokens.first?.isWord("select") == true)
    }

    @Test(
        "The scanner stops at an unterminated quotation or comment",
        arguments: ["'", "'''", "E'\\'", "\"a", "$$ $", "$a$ $b$", "/* /* */", "a U&'"])
    func unfinished(sql: String) {
        #expect(SQLScanner(sql).map(\.kind).last == .unfinished)
    }

    @Test("Scanning any text yields ordered tokens and ends without a trap")
    func anyText() {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        let alphabet = Array("ae$$''\"\\-*/;.1 \n\u{FC}")
        for _ in 0..<2_000 {
            let text = String((0..<Int.random(in: 0...40, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
            let tokens = Array(SQLScanner(text))
            let bounds = tokens.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
            #expect(bounds == bounds.sorted() && (bounds.last ?? 0) <= text.utf8.count, "seed \(seed): \(text.debugDescription)")
            #expect(tokens.dropLast().allSatisfy { $0.kind != .unfinished }, "seed \(seed): \(text.debugDescription)")
        }
    }
}
