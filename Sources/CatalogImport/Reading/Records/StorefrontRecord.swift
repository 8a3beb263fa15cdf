internal import Items
package import JSON
internal import Values

/// A country's store.
package struct StorefrontRecord: Sendable, Equatable {
    package let key: String
    package let currency: String
    package let timeZone: String
    /// The locales in the order in which clients show them.
    package let locales: [String]
    package let defaultLocale: String
    /// The rating scheme. Nil keeps that of the existing storefront, and gives the default scheme to a new one.
    package let ratingScheme: String?

    init(key: String, currency: String, timeZone: String, locales: [String], defaultLocale: String, ratingScheme: String?) {
        self.key = key
        self.currency = currency
        self.timeZone = timeZone
        self.locales = locales
        self.defaultLocale = defaultLocale
        self.ratingScheme = ratingScheme
    }

    init(reading object: inout JSONObjectReader) throws(JSONReadError) {
        let key = object.required("key", .storefront)
        let currency = object.required("currency", .currency)
        let timeZone = object.required("timeZone", .line(1...100))
        let locales = object.required("locales", each: .locale, 1...100, "locales")
        let defaultLocale = object.required("defaultLocale", .locale)
        let ratingScheme = object.optional("ratingScheme", .slug)
        try object.finish()
        guard try locales().contains(try defaultLocale()) else {
            throw object.refuse(.invalidChoice, at: "defaultLocale", "the default locale is not one of the locales")
        }
        self.key = try key()
        self.currency = try currency()
        self.timeZone = try timeZone()
        self.locales = try locales()
        self.defaultLocale = try defaultLocale()
        self.ratingScheme = ratingScheme
    }
}

extension StorefrontRecord: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", "storefront")
            $0.member("key", key)
            $0.member("currency", currency)
            $0.member("timeZone", timeZone)
            $0.member("locales", locales)
            $0.member("defaultLocale", defaultLocale)
            $0.member("ratingScheme", ratingScheme)
        }
    }
}
