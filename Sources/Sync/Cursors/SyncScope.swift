internal import Feeds
internal import Items
package import Values

/// The part of the catalog that a client synchronizes.
package struct SyncScope: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// All items of the storefront.
        case catalog
        /// The pages of these feeds, and also their lists if the client requests them. The keys are sorted and unique.
        case feeds([String], hasLists: Bool)
    }

    package let storefront: String
    package let locale: LocaleTag
    package let content: Content

    /// Creates a scope. Nil feeds mean the whole catalog, which has no lists.
    package init(storefront: String, feeds: [String]?, hasLists: Bool = false, locale: LocaleTag) {
        self.storefront = storefront
        self.locale = locale
        content = feeds.map { .feeds(Set($0).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, hasLists: hasLists) } ?? .catalog
    }

    /// The canonical text of the scope.
    var text: String {
        switch content {
        case .catalog: "\(storefront)\n\(locale)\n*"
        case .feeds(let feeds, let hasLists): "\(storefront)\n\(locale)\n\(feeds.joined(separator: ","))\(hasLists ? "\nlists" : "")"
        }
    }
}

extension SyncScope.Content {
    /// The names under which the documents of the feeds are stored.
    var storedNames: [String] {
        switch self {
        case .catalog: []
        case .feeds(let feeds, let hasLists): hasLists ? feeds + feeds.map(StoredFeedName.lists) : feeds
        }
    }
}
