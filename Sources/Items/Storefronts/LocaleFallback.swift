internal import Artwork

/// The locales in whose order something is shown that may have texts in any: the wanted one, the storefront's default and English, the first two
/// each with the locales that stand in for it.
package struct LocaleFallback: Sendable, Equatable {
    package let wanted: LocaleTag
    package let order: [LocaleTag]
    /// The first language of the order in which drawings are described.
    let drawn: LocaleTag

    package init(_ wanted: LocaleTag, in storefront: Storefront) {
        self.wanted = wanted
        var order: [LocaleTag] = []
        for tag in wanted.fallbacks + storefront.defaultLocale.fallbacks + [.english]
        where !order.contains(tag) {
            order.append(tag)
        }
        self.order = order
        drawn = order.first { Artwork.languages.contains($0.language.text) }?.language ?? .english
    }

    /// The value that is shown; of one in none of these locales, that of the first by its bytes. Nil where there is none at all.
    package func pick<Value>(_ values: [LocaleTag: Value]) -> Value? {
        for tag in order {
            if let value = values[tag] { return value }
        }
        return values.min { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }?.value
    }

    /// The same of a part of texts that are sorted by the bytes of their locales.
    func pick<Value>(_ texts: [ItemText], _ part: (ItemText) -> Value?) -> Value? {
        for tag in order {
            if let text = texts.first(where: { $0.locale == tag }), let value = part(text) { return value }
        }
        return texts.lazy.compactMap(part).first
    }
}
