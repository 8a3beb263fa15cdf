import Testing
import Values

@Suite("Printable text")
struct PrintableTextTests {
    @Test(
        "Control characters are escaped",
        arguments: [
            ("plain, é 🙂", "plain, é 🙂"), ("\n", #"\u{a}"#), ("a\u{1B}[2J", #"a\u{1b}[2J"#), ("\u{202E}\u{9B}\0", #"\u{202e}\u{9b}\u{0}"#),
            ("\u{2028}", #"\u{2028}"#), ("", ""),
        ])
    func controls(text: String, printed: String) {
        #expect(text.printable() == printed)
    }

    @Test("A text is cut at a limit of scalars", arguments: [(0, "…"), (2, "ab…"), (3, "abc"), (4, "abc")])
    func limit(limit: Int, printed: String) {
        #expect("abc".printable(limit: limit) == printed)
    }
}
