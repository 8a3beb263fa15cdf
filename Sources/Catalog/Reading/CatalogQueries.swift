package import Postgres

/// The queries of the catalog, looked up once.
package struct CatalogQueries: Sendable {
    let storefronts, items, categories, facetCounts, hasCategory, hasChart, chartPage: NamedQuery
    let byRating, byRelease, rareByRating, rareByRelease, rareByTitle: NamedQuery
    let byTitle: [TitleOrder: NamedQuery]
    let readSearch, search, similarWords: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        storefronts = try library.query("catalog.storefronts")
        items = try library.query("catalog.items")
        categories = try library.query("catalog.categories")
        facetCounts = try library.query("catalog.facet_counts")
        hasCategory = try library.query("catalog.has_category")
        hasChart = try library.query("catalog.has_chart")
        chartPage = try library.query("catalog.chart_page")
        byRating = try library.query("catalog.browse_by_rating")
        byRelease = try library.query("catalog.browse_by_release")
        byTitle = [
            .root: try library.query("catalog.browse_by_title"), .ar: try library.query("catalog.browse_by_title_ar"),
            .es: try library.query("catalog.browse_by_title_es"), .ja: try library.query("catalog.browse_by_title_ja"),
        ]
        rareByRating = try library.query("catalog.browse_rare_by_rating")
        rareByRelease = try library.query("catalog.browse_rare_by_release")
        rareByTitle = try library.query("catalog.browse_rare_by_title")
        readSearch = try library.query("catalog.read_search")
        search = try library.query("catalog.search")
        similarWords = try library.query("catalog.similar_words")
    }
}

/// The alphabets that there are indexes of titles for.
enum TitleOrder: String, CaseIterable {
    /// Unicode's own, which English, German, French and many others share.
    case root, ar, es, ja

    init(_ locale: LocaleTag) { self = TitleOrder(rawValue: locale.language.text) ?? .root }
}
