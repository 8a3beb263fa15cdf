import Testing
import Values

@Suite struct NearestWordTests {
    @Test(
        "A misspelled word finds the intended one",
        arguments: [
            ("sttings", "settings"), ("doctro", "doctor"), ("completions", "completion"), ("dv", "dev"), ("Dev", "dev"),
        ])
    func finds(typo: String, meant: String) {
        #expect(typo.nearest(among: ["dev", "doctor", "settings", "completion"]) == meant)
    }

    @Test("A word without a similar one gets no suggestion", arguments: ["", "postgres", "x", "zz"])
    func findsNothing(word: String) {
        #expect(word.nearest(among: ["dev", "doctor"]) == nil)
    }

    @Test("The nearer of two candidates wins, and the first of equally near ones")
    func order() {
        #expect("sets".nearest(among: ["seats", "set", "sett"]) == "seats")
        #expect("limitt".nearest(among: ["limits", "limit"]) == "limits")
    }

    @Test("Long and hostile words are refused without work")
    func hostile() {
        #expect(String(repeating: "e\u{301}\u{302}", count: 50_000).nearest(among: ["dev"]) == nil)
    }
}
