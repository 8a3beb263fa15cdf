package import Postgres

/// The queries of the catalog, looked up once.
package struct CatalogQueries: Sendable {
    let cursorKey, storefronts, items, categories, facetCounts, titleLocales, hasCategory, hasChart, chartPage: NamedQuery
    let byRating, byRelease: NamedQuery
    let byTitle: [TitleOrder: NamedQuery]
    let readSearch, search, similarWords: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        cursorKey = try library.query("catalog.cursor_key")
        storefronts = try library.query("catalog.storefronts")
        items = try library.query("catalog.items")
        categories = try library.query("catalog.categories")
        facetCounts = try library.query("catalog.facet_counts")
        titleLocales = try library.query("catalog.title_locales")
        hasCategory = try library.query("catalog.has_category")
        hasChart = try library.query("catalog.has_chart")
        chartPage = try library.query("catalog.chart_page")
        byRating = try library.query("catalog.browse_by_rating")
        byRelease = try library.query("catalog.browse_by_release")
        byTitle = [
            .und: try library.query("catalog.browse_by_title_und"), .ar: try library.query("catalog.browse_by_title_ar"),
            .es: try library.query("catalog.browse_by_title_es"), .ja: try library.query("catalog.browse_by_title_ja"),
        ]
        readSearch = try library.query("catalog.read_search")
        search = try library.query("catalog.search")
        similarWords = try library.query("catalog.similar_words")
    }
}
