package import JSON
package import Values

/// A country's store.
package struct Storefront: Sendable, Equatable {
    package let key: String
    package let currency: String
    package let timeZone: String
    /// The locales in the order in which clients show them. Never empty.
    package let locales: [LocaleTag]
    package let defaultLocale: LocaleTag
    /// The rating scheme whose labels clients receive.
    package let ratingScheme: String
    /// All rating schemes, because an item can have labels of others.
    package let ratingSchemes: RatingSchemes
    /// The first locale that each tag is a fallback of.
    private let standIns: [LocaleTag: LocaleTag]

    package init(
        key: String, currency: String, timeZone: String, locales: [LocaleTag], defaultLocale: LocaleTag,
        ratingScheme: String = AgeRating.defaultScheme, ratingSchemes: RatingSchemes = RatingSchemes()
    ) {
        self.key = key
        self.currency = currency
        self.timeZone = timeZone
        self.locales = locales
        self.defaultLocale = defaultLocale
        self.ratingScheme = ratingScheme
        self.ratingSchemes = ratingSchemes
        var standIns: [LocaleTag: LocaleTag] = [:]
        for locale in locales {
            for tag in locale.fallbacks where standIns[tag] == nil { standIns[tag] = locale }
        }
        self.standIns = standIns
    }

    /// The scopes in which its items are indexed: all storefronts, and this one.
    package var scopes: [String] { ["*", key] }

    /// Returns the locale that best suits a client's preferred languages, given in lower case with the most preferred
    /// first.
    ///
    /// A language matches its own locale or the nearest fallback. Otherwise, it matches a locale whose fallback is in
    /// the chain of the language. `de-AT` matches `de` and `de` matches `de-AT`, but `zh-HK` never matches `zh`.
    /// Variants and extensions are ignored.
    package func locale(for languages: [String]) -> LocaleTag {
        for language in languages {
            if let found = locale(for: language) { return found }
        }
        return defaultLocale
    }

    /// Returns the locale that a language in lower case matches, or nil if no locale matches.
    package func locale(for language: String) -> LocaleTag? {
        guard let requested = LocaleTag(language: language) else { return nil }
        let chain = requested.fallbacks
        if let found = chain.first(where: { locales.contains($0) }) { return found }
        for tag in chain {
            if let found = standIns[tag] { return found }
        }
        return nil
    }
}

extension Storefront: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("key", key)
            $0.member("currency", currency)
            $0.member("timeZone", timeZone)
            $0.member("locales", locales.map(\.text))
            $0.member("defaultLocale", defaultLocale.text)
            $0.member("ratingScheme", ratingScheme)
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let key = object.required("key", as: String.self)
        let currency = object.value("currency", default: "")
        let timeZone = object.value("timeZone", default: "UTC")
        let locales = object.value("locales", default: [String]())
        let defaultLocale = object.required("defaultLocale", as: String.self)
        let ratingScheme = object.value("ratingScheme", default: AgeRating.defaultScheme)
        // Only published storefronts have them.
        let ratingSchemes = object.value("ratingSchemes", default: RatingSchemes())
        try object.finish()
        guard let standard = LocaleTag(try defaultLocale()) else {
            throw object.refuse(.invalidFormat, at: "defaultLocale", "expected a locale such as en or pt-BR")
        }
        self.init(
            key: try key(), currency: currency, timeZone: timeZone, locales: locales.compactMap { LocaleTag($0) }, defaultLocale: standard,
            ratingScheme: ratingScheme, ratingSchemes: ratingSchemes)
    }
}

/// A category of the catalog, with its names and the number of its items.
package struct Category: Sendable, Equatable {
    package let key: String
    /// The kind of its items, or nil if it takes items of every kind.
    package let itemKind: ItemKind?
    package let titles: [LocaleTag: String]
    /// The number of items that are available in one storefront at one time.
    package let items: Int
    /// The next time at which that number changes because the availability of an item starts or ends; nil if no such time is known.
    package let nextChange: Timestamp?

    package init(key: String, itemKind: ItemKind?, titles: [LocaleTag: String], items: Int, nextChange: Timestamp?) {
        self.key = key
        self.itemKind = itemKind
        self.titles = titles
        self.items = items
        self.nextChange = nextChange
    }
}
