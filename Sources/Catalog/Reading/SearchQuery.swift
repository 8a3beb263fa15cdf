internal import Items
internal import Values

/// A query of the search index, in the text form of a `tsquery`.
package enum SearchQuery {
    /// Returns the query for items that match the filter in a storefront, now or at another time. It also finds a few
    /// items that are rated slightly less than the minimum.
    ///
    /// `parts` limits it to the scopes and kinds that can have matches.
    static func filter(_ filter: ItemFilter, in storefront: Storefront, parts: [(scope: String, kind: String)] = []) -> String {
        let kinds = parts.isEmpty ? filter.kinds : Set(parts.map(\.kind)).sorted()
        let scopes = parts.isEmpty ? storefront.scopes : Set(parts.map(\.scope)).sorted()
        return (conditions(filter, kinds: kinds, in: storefront) + [anyOf(scopes)]).joined(separator: " & ")
    }

    /// Returns the queries of which an item that matches the filter meets all. The scopes of the storefront are not part of them.
    static func conditions(_ filter: ItemFilter, kinds: [String], in storefront: Storefront) -> [String] {
        let requested = filter.facets(in: storefront).map(facet)
        let excluded = filter.otherFacets(in: storefront).map(lacks)
        let rated = filter.minimumRating > 0 ? [Self.rated(filter.minimumRating...500)] : []
        // Matching any of all kinds excludes nothing, but costs as much as scanning the catalog.
        let some = kinds.count < ItemKind.allCases.count ? [anyOf(kinds)] : []
        return requested + excluded + rated + some
    }

    /// Returns the query for items whose title is shown in a locale: they have a title in it and in none of the earlier
    /// locales. Without a locale, it matches every item that has none of the earlier ones. Nearly every item has an
    /// English title. The index therefore marks items without one, which are fewer to skip.
    static func titles(in locale: LocaleTag? = nil, notIn previous: [LocaleTag]) -> String {
        let requested = locale.map { [facet("title:\($0.text)")] } ?? []
        let excluded = previous.map { $0 == .english ? facet("untitled:en") : "!\(facet("title:\($0.text)"))" }
        return "(\((requested + excluded).joined(separator: " & ")))"
    }

    /// Returns the query for items that have all of the words, of which some may be the beginnings of others.
    static func words(_ words: [(text: String, isPrefix: Bool)]) -> String {
        words.map { "\(lexeme($0.text))\($0.isPrefix ? ":*" : "")" }.joined(separator: " & ")
    }

    /// Returns the query for titles in which each two adjacent words are next to each other. The last word may be a part of one.
    /// At least two words are required.
    static func pairs(_ words: [String], lastIsPrefix: Bool) -> String {
        let pairs = zip(words, words.dropFirst()).map { indexed("~\($0) \($1)") }
        return self.words(pairs.enumerated().map { (text: $1, isPrefix: lastIsPrefix && $0 == pairs.count - 1) })
    }

    /// Returns the query for an exact title or, with `isPrefix`, for titles that begin with the text.
    static func title(_ text: String, isPrefix: Bool = false) -> String { words([(text: indexed("=\(text)"), isPrefix: isPrefix)]) }

    /// The index stores the first hundred characters of a word, including the mark of its sort.
    private static func indexed(_ word: String) -> String { String(String.UnicodeScalarView(word.unicodeScalars.prefix(100))) }

    /// Returns the query for a facet, a kind, a scope or a rating such as `rated:9`.
    package static func facet(_ word: String) -> String { lexeme("@\(word)") }

    /// Returns the query for items without a facet. It also finds items that have the facet at other times only, because the
    /// index does not have their prices by time.
    package static func lacks(_ word: String) -> String {
        for price in ["paid:", "discounted:"] where word.hasPrefix(price) {
            return "(!\(facet(word)) | \(facet("priceChanges:\(word.dropFirst(price.count))")))"
        }
        return "!\(facet(word))"
    }

    /// Returns the query for any of the facets. At least one is required.
    package static func anyOf(_ terms: [String]) -> String { "(\(terms.map(facet).joined(separator: " | ")))" }

    /// Returns the query for ratings within these hundredths. It also finds a few ratings slightly outside the range.
    package static func rated(_ hundredths: ClosedRange<Int>) -> String {
        anyOf((hundredths.lowerBound / 50...hundredths.upperBound / 50).map { "rated:\($0)" })
    }

    /// Returns a quoted lexeme. It escapes bytes, because a quotation mark with a combining accent is a different
    /// character but still ends a lexeme.
    private static func lexeme(_ text: String) -> String {
        let quoted = text.utf8.flatMap { [UInt8(ascii: "'"), UInt8(ascii: "\\")].contains($0) ? [$0, $0] : [$0] }
        return "'\(String(decoding: quoted, as: UTF8.self))'"
    }
}
