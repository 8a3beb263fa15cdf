import Testing
import Values

@Suite struct NearestWordTests {
    @Test(
        "a misspelt word finds the one that was meant",
        arguments: [
            ("sttings", "settings"), ("doctro", "doctor"), ("completions", "completion"), ("dv", "dev"), ("Dev", "dev"),
        ])
    func finds(typo: String, meant: String) {
        #expect(typo.nearest(among: ["dev", "doctor", "settings", "completion"]) == meant)
    }

    @Test("a word that is near to nothing gets no suggestion", arguments: ["", "postgres", "x", "zz"])
    func findsNothing(word: String) {
        #expect(word.nearest(among: ["dev", "doctor"]) == nil)
    }

    @Test("of two candidates the nearer one wins, of equals the first")
    func order() {
        #expect("sets".nearest(among: ["seats", "set", "sett"]) == "seats")
        #expect("limitt".nearest(among: ["limits", "limit"]) == "limits")
    }

    @Test("long and hostile words are refused without work")
    func hostile() {
        #expect(String(repeating: "e\u{301}\u{302}", count: 50_000).nearest(among: ["dev"]) == nil)
    }
}
