import HTTPMessages
import Testing

@Suite("Accepted languages")
struct AcceptedLanguagesTests {
    private func tags(_ lines: [String]) -> [String] { AcceptedLanguages(HTTPFields("Accept-Language", lines)).tags }

    @Test(
        "Tags are ordered by weight, and equal ones keep their order",
        arguments: [
            ([], []), ([""], []), (["de"], ["de"]), (["de-AT, de;q=0.9, en;q=0.8"], ["de-at", "de", "en"]),
            (["en;q=0.1, de;q=0.5, fr"], ["fr", "de", "en"]), (["b;q=0.5, a;q=0.5, c"], ["c", "b", "a"]),
            (["de", "en;q=0.5, ar"], ["de", "ar", "en"]),
            (["zh-Hant-TW, sl-rozaj-1994"], ["zh-hant-tw", "sl-rozaj-1994"]), (["de;q=0, en"], ["en"]), (["de;q=0.000"], []),
            // Languages with a weight below that of `*` are ignored.
            (["*"], []), (["de, *;q=0.5, en;q=0.3"], ["de"]), (["de;q=0.5, *;q=0.8"], []), (["*;q=0, de"], ["de"]),
            (["*;q=0.1, de"], ["de"]),
            // Malformed elements are ignored.
            (["de;q=2, en"], ["en"]), (["de_DE, en"], ["en"]), (["-de, de-, d--e, en"], ["en"]), (["123, e1, en"], ["en"]),
            (["abcdefghi, abcdefgh"], ["abcdefgh"]), (["de-*, en"], ["en"]), (["d\u{E9}, en"], ["en"]), (["de en, fr"], ["fr"]),
            (["en-aaaaaaaa-aaaaaaaa-aaaaaaaa-12345678"], []),
            (["en-aaaaaaaa-aaaaaaaa-aaaaaaaa-12345"], ["en-aaaaaaaa-aaaaaaaa-aaaaaaaa-12345"]),
        ] as [([String], [String])])
    func table(lines: [String], expected: [String]) {
        #expect(tags(lines) == expected)
    }

    @Test("Only the first sixteen tags of a long list are used")
    func bound() {
        let letters = "abcdefghijklmnopqrst".map(String.init)
        #expect(tags([letters.joined(separator: ", ")]) == Array(letters.prefix(16)))
        #expect(tags([letters.prefix(16).joined(separator: ";q=0.5, ") + ";q=0.5, z"]) == Array(letters.prefix(16)))
    }
}
