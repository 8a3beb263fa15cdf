internal import Postgres

/// The queries of the catalog.
package enum CatalogQueries {
    static let cursorKey = NamedQuery("catalog.cursor_key")
    static let storefronts = NamedQuery("catalog.storefronts")
    static let items = NamedQuery("catalog.items")
    static let categories = NamedQuery("catalog.categories")
    static let facetCounts = NamedQuery("catalog.facet_counts")
    static let titleLocales = NamedQuery("catalog.title_locales")
    static let hasCategory = NamedQuery("catalog.has_category")
    static let hasChart = NamedQuery("catalog.has_chart")
    static let chartPage = NamedQuery("catalog.chart_page")
    static let byRating = NamedQuery("catalog.browse_by_rating")
    static let byRelease = NamedQuery("catalog.browse_by_release")
    static let byTitle: [TitleOrder: NamedQuery] = [
        .und: NamedQuery("catalog.browse_by_title_und"), .ar: NamedQuery("catalog.browse_by_title_ar"),
        .es: NamedQuery("catalog.browse_by_title_es"), .ja: NamedQuery("catalog.browse_by_title_ja"),
    ]
    static let readSearch = NamedQuery("catalog.read_search")
    static let search = NamedQuery("catalog.search")
    static let similarWords = NamedQuery("catalog.similar_words")
}
