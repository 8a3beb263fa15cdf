package import Feeds

/// A document that is published otherwise than it should be.
package struct DocumentMismatch: Sendable, Hashable {
    package enum Reason: String, Sendable {
        /// It is not there.
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
