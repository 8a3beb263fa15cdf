internal import Items
package import Values

/// The part of the catalog that a client synchronizes.
package struct SyncScope: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// All items of the storefront.
        case catalog
        /// Everything that these feeds show. The keys are sorted and unique.
        case feeds([String])
    }

    package let storefront: String
    package let locale: LocaleTag
    package let content: Content

    /// Creates a scope. Nil feeds mean the whole catalog.
    package init(storefront: String, feeds: [String]?, locale: LocaleTag) {
        self.storefront = storefront
        self.locale = locale
        content = feeds.map { .feeds(Set($0).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }) } ?? .catalog
    }

    /// The canonical text of the scope.
    var text: String {
        switch content {
        case .catalog: "\(storefront)\n\(locale)\n*"
        case .feeds(let feeds): "\(storefront)\n\(locale)\n\(feeds.joined(separator: ","))"
        }
    }
}
