package import JSON

/// A storefront as it is published. A change for a local copy is the published document with the values of this storefront.
package struct PublishedStorefront: Sendable, Equatable {
    /// The version since which clients receive documents in this form. It is 0 for the storefronts of the first drain, and for
    /// those that were added before storefronts were published.
    package let version: Int
    package let storefront: Storefront

    package init(version: Int, _ storefront: Storefront) {
        self.version = version
        self.storefront = storefront
    }

    /// Reads the document of `storefront_documents`.
    package init(version: Int, document: [UInt8]) throws(JSONError) {
        self.init(version: version, try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(Storefront.self).value)
    }
}

extension Storefront {
    /// Whether clients receive each published document in the same form, in a locale that both storefronts have. New locales
    /// and labels that no item has make no difference.
    package func renders(like other: Storefront) -> Bool {
        (key, currency, timeZone, defaultLocale, ratingScheme)
            == (other.key, other.currency, other.timeZone, other.defaultLocale, other.ratingScheme)
            && ratingSchemes.rates(like: other.ratingSchemes, in: ratingScheme)
    }
}
