import Testing

@testable import Catalog

@Suite("The terms of a search")
struct SearchTermsTests {
    private static func searches(_ text: String, _ words: [String], letters: [String] = [], unspaced: [String] = []) -> [String] {
        let spaced = text.split(separator: " ").map(String.init).filter { !unspaced.contains($0) }
        return SearchTerms(text: text, words: words, letters: letters, spaced: spaced, unspaced: unspaced, isWide: true)
            .searches.map(\.query)
    }

    @Test("A text of one word is searched as a title, as the beginning of one, as a word and as the beginning of one")
    func word() {
        #expect(Self.searches("harbor", ["harbor"]) == ["'=harbor':*", "'=harbor'", "'harbor'", "'harbor':*"])
    }

    @Test("Only the last word of a text can be a beginning until the last query, and adjacent words are searched as pairs")
    func words() {
        #expect(
            Self.searches("my harbor no", ["my", "harbor", "no"]) == [
                "'=my harbor no':*", "'=my harbor no'", "'~my harbor' & '~harbor no'", "'my' & 'harbor' & 'no'",
                "'~my harbor' & '~harbor no':*", "'my' & 'harbor' & 'no':*", "'my':* & 'harbor':* & 'no':*",
            ])
    }

    @Test("A letter that ends the pair before it is not searched, and a single letter finds words that begin with it")
    func letters() {
        #expect(
            Self.searches("日本語 帳 pro", ["日本", "本語", "語", "帳", "pro"], letters: ["語", "帳"], unspaced: ["日本語", "帳"]) == [
                "'=日本語 帳 pro':*", "'=日本語 帳 pro'", "'日本' & '本語' & '帳':* & 'pro'", "'日本' & '本語' & '帳':* & 'pro':*",
            ])
        // The pair at the end is not the beginning of another word.
        #expect(
            Self.searches("日本語", ["日本", "本語", "語"], letters: ["語"], unspaced: ["日本語"]) == [
                "'=日本語':*", "'=日本語'", "'日本' & '本語'",
            ])
        #expect(Self.searches("帳", ["帳"], letters: ["帳"], unspaced: ["帳"]) == ["'=帳':*", "'=帳'", "'帳':*"])
    }

    @Test("Up to four words can all be beginnings, with any number of pairs of letters next to them")
    func beginnings() {
        let words = ["my", "har", "no", "re", "日本", "本語", "語学", "学", "習"]
        let searches = Self.searches("my har no re日本語学 習", words, letters: ["学", "習"], unspaced: ["re日本語学", "習"])
        #expect(searches.last == "'my':* & 'har':* & 'no':* & 're':* & '日本' & '本語' & '語学' & '習':*")
        let more = Self.searches("a my har no re日本語学 習", ["a"] + words, letters: ["学", "習"], unspaced: ["re日本語学", "習"])
        #expect(!more.contains { $0.contains("'my':*") })
    }

    @Test("A long word and a long pair are cut to the hundred characters that the index stores")
    func long() {
        let word = String(repeating: "a", count: 120)
        let searches = Self.searches("\(word) b", [word, "b"])
        #expect(searches[2] == "'~\(word.prefix(99))'" && searches[3] == "'\(word.prefix(100))' & 'b'")
    }

    @Test("At most 16 words are searched")
    func many() {
        let words = (1...20).map { "w\($0)" }
        let searches = Self.searches(words.joined(separator: " "), words)
        #expect(searches.contains { $0.contains("'w16'") } && !searches[2...].contains { $0.contains("w17") })
    }
}
