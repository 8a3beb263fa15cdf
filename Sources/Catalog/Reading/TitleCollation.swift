package import Items
package import Postgres

/// A locale in which some titles are shown: each in the first one of an order that its item has.
package struct TitleCollation: Sendable {
    /// Nil for all that are neither in the order nor among the first few others.
    package let locale: LocaleTag?
    /// Of the search index: what is shown in it, and nothing else.
    package let search: String
    /// About how many items are shown in it.
    package let items: Double
    /// How many titles there are in it, shown or not.
    package let titles: Double

    /// What `all` needs to know.
    package static func query(_ query: NamedQuery, in locales: LocaleFallback, scopes: [String], kinds: [String]) -> PostgresQuery {
        PostgresQuery(query, scopes, kinds, ["all"] + locales.order.map { facet($0) })
    }

    private static func facet(_ locale: LocaleTag) -> String { "title:\(locale.text)" }

    /// Counts tell how many items have a title in each locale, and nothing of two: to have one in a locale is taken for independent of having
    /// one in another, but that nothing is left where all items have one.
    package static func all(of counts: PostgresResult, in locales: LocaleFallback) throws(PostgresError) -> [TitleCollation] {
        var found: [String: (listings: Double, passed: Double)] = [:]
        for (facet, listings, passed) in try counts.rows(as: String.self, Int.self, Int.self) {
            found[facet] = (Double(listings), Double(passed))
        }
        guard let all = found["all"]?.listings, all > 0 else { return [] }
        let asked = Set(locales.order.map(facet))
        // What has none of the order is shown in the first by its bytes.
        let others = found.keys.filter { !asked.contains($0) && $0 != "all" }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .compactMap { LocaleTag(String($0.dropFirst("title:".count))) }
        let order = locales.order + others
        var (left, maximum) = (all, all)
        var shown: [TitleCollation] = []
        for (place, locale) in order.enumerated() {
            guard maximum > 0, let (listings, passed) = found[facet(locale)], listings > 0 else { continue }
            let search = SearchQuery.titles(in: locale, notIn: Array(order[..<place]))
            shown.append(TitleCollation(locale: locale, search: search, items: min(maximum, left * listings / all), titles: passed))
            left *= 1 - listings / all
            maximum = min(maximum, all - listings)
        }
        if maximum > 0 {
            shown.append(TitleCollation(locale: nil, search: SearchQuery.titles(notIn: order), items: min(maximum, left), titles: 0))
        }
        return shown
    }
}
