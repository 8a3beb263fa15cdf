package import Feeds

/// The result of comparing the published documents of a storefront, and its own values, with their sources.
package struct FeedConsistencyCheck: Sendable, Equatable {
    /// The number of published documents, including layouts.
    package var compared = 0
    package var differences: Set<DocumentMismatch> = []
    /// Whether the storefront is open, so that its published values were compared as well.
    package var comparesStorefront = false
    /// The difference of the published values of the storefront, or nil if they are those of the catalog.
    package var storefrontFlaw: DocumentMismatch.Reason?
    /// The number of feeds and revisions that this program cannot read and therefore not compare.
    package var unreadable = 0

    package init() {}
}

package struct DocumentMismatch: Sendable, Hashable {
    package enum Reason: String, Sendable {
        case missing
        /// The document exists and should not.
        case surplus
        /// The document differs from its source.
        case other
        /// The document does not match its hash.
        case damaged
    }

    package let kind: PublishedKind
    package let id: String
    /// The storefront, or `*` if the document is for all storefronts.
    package let storefront: String
    /// The feed, if the document belongs to one.
    package let feed: String?
    package let flaw: Reason

    package init(kind: PublishedKind, id: String, storefront: String, feed: String? = nil, flaw: Reason) {
        self.kind = kind
        self.id = id
        self.storefront = storefront
        self.feed = feed
        self.flaw = flaw
    }
}
