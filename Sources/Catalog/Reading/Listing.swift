internal import Items
package import Values

struct Listing {
    let filter: ItemFilter
    let storefront: Storefront
    let locales: LocaleFallback
    var limit: Int

    var facets: [String] { filter.facets(in: storefront) }
    var otherFacets: [String] { filter.otherFacets(in: storefront) }

    struct Size {
        var parts: [(scope: String, kind: String)] = []
        /// The number of all listings, with any facets.
        var listings = 0.0
        var found = 0.0
    }

    struct AccessPath {
        var walked: [(scope: String, kind: String)] = []
        /// The query for the search index. Its results are sorted.
        var search: String?
    }
}

package enum ItemOrder: Sendable, Equatable {
    /// The best rated first.
    case rating
    /// The most recently released first.
    case newest
    /// The collation of the locale that is shown.
    case title
    /// The order of a chart. The list then has only the items of the chart.
    case chart(String)
}

/// The collations that have an index of titles.
package enum TitleOrder: String, Sendable, CaseIterable {
    /// Unicode's default order, which English, German, French and many other languages share.
    case und, ar, es, ja

    package init(_ locale: LocaleTag) { self = TitleOrder(rawValue: locale.language.text) ?? .und }
}
