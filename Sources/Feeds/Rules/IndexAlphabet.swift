package import Values

/// The letters under which titles are grouped in a locale.
///
/// A title belongs to the last letter that the collation of the locale does not sort after it. `Éclair` belongs to E,
/// `Æther` to A, and `ßeta` to S. `Ñandú` belongs to Ñ in Spanish and to N elsewhere. An Arabic article is a part of
/// the title: `المطبخ` belongs to ا.
///
/// Digits, signs, emoji and other scripts are sorted before the first letter or after the end of the script, and so
/// belong to no letter. Neither do kanji, whose reading no collation knows.
package struct IndexAlphabet: Sendable, Hashable {
    /// The heading of titles that belong to no letter.
    package static let rest = "#"

    /// The letters as clients show them, in alphabetical order.
    package let letters: [String]
    /// The least title of each letter, and the least one after the last letter. Lower-case letters are sorted before
    /// upper-case ones.
    package let bounds: [String]

    package init(_ locale: LocaleTag) {
        switch locale.language.text {
        case "ar": self.init("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", end: "a")
        case "ja": self.init("あかさたなはまやらわ", from: "ぁゕさたなはまゃらゎ", end: "亜")
        case "es": self.init("ABCDEFGHIJKLMNÑOPQRSTUVWXYZ", from: "abcdefghijklmnñopqrstuvwxyz", end: "α")
        default: self.init("ABCDEFGHIJKLMNOPQRSTUVWXYZ", from: "abcdefghijklmnopqrstuvwxyz", end: "α")
        }
    }

    private init(_ letters: String, from first: String? = nil, end: String) {
        self.letters = letters.map(String.init)
        bounds = (first ?? letters).map(String.init) + [end]
    }

    /// Returns the letter of a title, given the number of bounds that are not sorted after it.
    package func letter(after count: Int) -> String { (1...letters.count).contains(count) ? letters[count - 1] : Self.rest }
}
