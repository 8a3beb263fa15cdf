package import JSON

/// A country's shop.
package struct Storefront: Sendable, Equatable {
    package let key: String
    package let currency: String
    package let timeZone: String
    /// Never empty, in the order in which they are shown.
    package let locales: [LocaleTag]
    package let defaultLocale: LocaleTag

    package init(key: String, currency: String, timeZone: String, locales: [LocaleTag], defaultLocale: LocaleTag) {
        self.key = key
        self.currency = currency
        self.timeZone = timeZone
        self.locales = locales
        self.defaultLocale = defaultLocale
    }

    /// Where its listings are: among those of all storefronts, and among its own.
    package var scopes: [String] { ["*", key] }

    /// The locale that answers a client best which would like these languages, in lower case and the most wanted first.
    ///
    /// A tag is shortened from its end until there is a locale for it, as RFC 4647 looks up: `de-AT` is answered in `de`. A locale with a
    /// region also answers its language alone.
    package func locale(for languages: [String]) -> LocaleTag {
        for language in languages {
            var wanted = language[...]
            while true {
                if let found = locales.first(where: { $0.text.lowercased() == wanted }) { return found }
                guard let hyphen = wanted.lastIndex(of: "-") else { break }
                wanted = wanted[..<hyphen]
            }
            if let found = locales.first(where: { $0.language.text == wanted }) { return found }
        }
        return defaultLocale
    }
}

extension Storefront: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("key", key)
            $0.member("currency", currency)
            $0.member("timeZone", timeZone)
            $0.member("locales", locales.map(\.text))
            $0.member("defaultLocale", defaultLocale.text)
        }
    }
}
