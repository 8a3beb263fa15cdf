package import Feeds

/// What comparing the feeds of a storefront with what is published of them has found.
package struct FeedConsistencyCheck: Sendable, Equatable {
    /// How many documents are published there, layouts included.
    package var compared = 0
    package var differences: Set<DocumentMismatch> = []
    /// How many feeds, and revisions of theirs, this program cannot read, and so cannot compare.
    package var unreadable = 0

    package init() {}
}

package struct DocumentMismatch: Sendable, Hashable {
    package enum Reason: String, Sendable {
        case missing
        /// It is there and should not be.
        case surplus
        /// It says something else than it should.
        case other
        /// It is not what its hash says.
        case damaged
    }

    package let kind: PublishedKind
    package let id: String
    /// `*` for all.
    package let storefront: String
    /// Of what is published for one.
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
