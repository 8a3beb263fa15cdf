internal import Items

/// A query of the search index, in the text form of a `tsquery`.
package enum SearchQuery {
    /// What keeps to the filter in a storefront, now or at another time; a few rated less than what is asked for are found with it.
    ///
    /// `parts` are those where there may be something.
    static func filter(_ filter: ItemFilter, in storefront: Storefront, parts: [(scope: String, kind: String)] = []) -> String {
        let kinds = parts.isEmpty ? filter.kinds : Set(parts.map(\.kind)).sorted()
        let scopes = parts.isEmpty ? storefront.scopes : Set(parts.map(\.scope)).sorted()
        let wanted = filter.facets(in: storefront).map(facet)
        let unwanted = filter.otherFacets(in: storefront).map { "!\(facet($0))" }
        let rated = filter.minimumRating > 0 ? [Self.rated(filter.minimumRating...500)] : []
        // To ask for any of all kinds costs as much as the catalog is large, and excludes nothing.
        let some = kinds.count < ItemKind.allCases.count ? [anyOf(kinds)] : []
        return (wanted + unwanted + rated + some + [anyOf(scopes)]).joined(separator: " & ")
    }

    /// What is shown in a locale, or in any but the earlier ones: what has a title in it, and in none of these. Nearly all has one in English, so
    /// what has none is a word of its own, of which there is less to pass by.
    static func titles(in locale: LocaleTag? = nil, notIn earlier: [LocaleTag]) -> String {
        let wanted = locale.map { [facet("title:\($0.text)")] } ?? []
        let unwanted = earlier.map { $0 == .english ? facet("untitled:en") : "!\(facet("title:\($0.text)"))" }
        return "(\((wanted + unwanted).joined(separator: " & ")))"
    }

    static func wholeWords(_ words: [String]) -> String { words.map(lexeme).joined(separator: " & ") }

    /// All words, each as the beginning of one.
    static func words(_ words: [String]) -> String { words.map { "\(lexeme($0)):*" }.joined(separator: " & ") }

    static func titleBeginning(_ text: String) -> String { "\(title(text)):*" }

    /// The index has the first hundred characters of a word, of which one is the sign before it.
    static func title(_ text: String) -> String { lexeme("=" + String(String.UnicodeScalarView(text.unicodeScalars.prefix(99)))) }

    /// What has this facet, is of this kind, is in this scope, or is `rated:9`.
    package static func facet(_ word: String) -> String { lexeme("@\(word)") }

    /// Of several; of none, it is no query.
    package static func anyOf(_ words: [String]) -> String { "(\(words.map(facet).joined(separator: " | ")))" }

    /// What is rated within these hundredths, and a few that are rated a little less or more.
    package static func rated(_ hundredths: ClosedRange<Int>) -> String {
        anyOf((hundredths.lowerBound / 50...hundredths.upperBound / 50).map { "rated:\($0)" })
    }

    /// By bytes: a quotation mark with an accent is another character, and ends the lexeme like any.
    private static func lexeme(_ text: String) -> String {
        let quoted = text.utf8.flatMap { [UInt8(ascii: "'"), UInt8(ascii: "\\")].contains($0) ? [$0, $0] : [$0] }
        return "'\(String(decoding: quoted, as: UTF8.self))'"
    }
}
