internal import Items

/// A list of the items of a storefront, as it was asked for.
struct Listing {
    let filter: ItemFilter
    let storefront: Storefront
    let locales: LocaleFallback
    var limit: Int

    var facets: [String] { filter.facets(in: storefront) }
    var otherFacets: [String] { filter.otherFacets(in: storefront) }

    /// How much there is of a list.
    struct Size {
        /// A scope and a kind each, of those where there may be something.
        var parts: [(scope: String, kind: String)] = []
        /// In all of them, with any facets.
        var listings = 0.0
        var found = 0.0
    }

    /// How a page is come by.
    struct AccessPath {
        var walked: [(scope: String, kind: String)] = []
        /// Of the search index; what it finds is sorted.
        var search: String?
    }
}
