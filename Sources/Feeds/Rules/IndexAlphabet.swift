package import Items

/// The letters under which titles are grouped in a locale.
///
/// A title belongs to the last letter that the collation of the locale does not sort behind it: `Éclair` to E, `Æther` to A, `ßeta` to S, and
/// `Ñandú` to Ñ in Spanish and to N elsewhere. An Arabic article is a part of the title: `المطبخ` belongs to ا. Digits, signs, emoji and other scripts
/// are sorted in front of the first letter or behind the end of the script, and so belong to no letter; nor do kanji, whose reading no
/// collation knows.
package struct IndexAlphabet: Sendable, Hashable {
    /// For titles that belong to no letter.
    package static let rest = "#"

    /// As they are shown, in the order of the alphabet.
    package let letters: [String]
    /// The least that belongs to each letter, and what comes behind the last one: small letters are sorted before large ones.
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

    /// The letter of a title that is behind so many of the bounds.
    package func letter(after count: Int) -> String { (1...letters.count).contains(count) ? letters[count - 1] : Self.rest }
}
