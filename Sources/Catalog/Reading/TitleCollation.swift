package import Items
package import Postgres
package import Values

/// The titles that are shown in one locale. An item shows its title in the first locale of an order that it has.
package struct TitleCollation: Sendable {
    /// The locale. It is nil if the titles are neither in the order nor in the first few other locales.
    package let locale: LocaleTag?
    /// The search query for exactly the items that are shown in this locale.
    package let search: String
    /// The estimated number of items that are shown in this locale.
    package let items: Double
    /// The number of titles in this locale, shown or not.
    package let titles: Double

    /// Returns the query for the counts that `all` takes.
    package static func query(_ query: NamedQuery, in locales: LocaleFallback, scopes: [String], kinds: [String]) -> PostgresQuery {
        PostgresQuery(query, scopes, kinds, ["all"] + locales.order.map { facet($0) })
    }

    private static func facet(_ locale: LocaleTag) -> String { "title:\(locale.text)" }

    /// Returns the locales that show titles. The counts are for single locales, so titles in two locales are assumed to
    /// be independent. The exception is a locale that all items have: it leaves none for later locales.
    package static func all(of counts: PostgresResult, in locales: LocaleFallback) throws(PostgresError) -> [TitleCollation] {
        var found: [String: (listings: Double, passed: Double)] = [:]
        for (facet, listings, passed) in try counts.rows(as: String.self, Int.self, Int.self) {
            found[facet] = (Double(listings), Double(passed))
        }
        guard let all = found["all"]?.listings, all > 0 else { return [] }
        let requested = Set(locales.order.map(facet))
        // An item without a locale of the order shows the first one by bytes.
        let others = found.keys.filter { !requested.contains($0) && $0 != "all" }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .compactMap { LocaleTag(String($0.dropFirst("title:".count))) }
        let order = locales.order + others
        var (left, maximum) = (all, all)
        var titleLocales: [TitleCollation] = []
        for (index, locale) in order.enumerated() {
            guard maximum > 0, let (listings, passed) = found[facet(locale)], listings > 0 else { continue }
            let search = SearchQuery.titles(in: locale, notIn: Array(order[..<index]))
            titleLocales.append(TitleCollation(locale: locale, search: search, items: min(maximum, left * listings / all), titles: passed))
            left *= 1 - listings / all
            maximum = min(maximum, all - listings)
        }
        if maximum > 0 {
            titleLocales.append(TitleCollation(locale: nil, search: SearchQuery.titles(notIn: order), items: min(maximum, left), titles: 0))
        }
        return titleLocales
    }
}
