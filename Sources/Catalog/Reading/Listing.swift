package import Items

struct Listing {
    let filter: ItemFilter
    let storefront: Storefront
    let locales: LocaleFallback
    var limit: Int

    var facets: [String] { filter.facets(in: storefront) }
    var otherFacets: [String] { filter.otherFacets(in: storefront) }

    struct Size {
        var parts: [(scope: String, kind: String)] = []
        /// In all of them, with any facets.
        var listings = 0.0
        var found = 0.0
    }

    struct AccessPath {
        var walked: [(scope: String, kind: String)] = []
        /// Of the search index; what it finds is sorted.
        var search: String?
    }
}

package enum ItemOrder: Sendable, Equatable {
    /// The best rated first.
    case rating
    /// The last released first.
    case newest
    /// By the alphabet of the locale that is shown.
    case title
    /// That of a chart, which then is all that the list has.
    case chart(String)
}

/// The alphabets that there are indexes of titles for.
package enum TitleOrder: String, Sendable, CaseIterable {
    /// Unicode's own, which English, German, French and many others share.
    case und, ar, es, ja

    package init(_ locale: LocaleTag) { self = TitleOrder(rawValue: locale.language.text) ?? .und }
}
