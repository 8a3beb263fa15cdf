/// A feed in a storefront: what is composed as one.
package struct StorefrontFeed: Sendable, Hashable {
    package let storefront: String
    package let feed: String

    package init(storefront: String, feed: String) {
        self.storefront = storefront
        self.feed = feed
    }
}
