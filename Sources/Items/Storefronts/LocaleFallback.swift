internal import Artwork
internal import JSON
package import Values

/// The locales in the order in which texts are chosen: the requested one, the storefront's default, then English. Each
/// of the first two is followed by its own fallback locales.
package struct LocaleFallback: Sendable, Equatable {
    package let requested: LocaleTag
    /// The requested locale and its own fallback locales.
    package let chain: [LocaleTag]
    package let order: [LocaleTag]
    /// The first language of the order that has descriptions of artwork.
    let drawn: LocaleTag

    package init(_ requested: LocaleTag, in storefront: Storefront) {
        self.requested = requested
        chain = requested.fallbacks
        var order: [LocaleTag] = []
        for tag in chain + storefront.defaultLocale.fallbacks + [.english]
        where !order.contains(tag) {
            order.append(tag)
        }
        self.order = order
        drawn = order.first { Artwork.languages.contains($0.language.text) }?.language ?? .english
    }

    /// Returns the value to show. If none of these locales has one, it is the value of the first locale by bytes.
    /// Returns nil if there are no values.
    package func pick<Value>(_ values: [LocaleTag: Value]) -> Value? {
        for tag in order {
            if let value = values[tag] { return value }
        }
        return values.min { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }?.value
    }

    /// Returns the text to show of those of a published document, with its locale. Returns nil if there are no texts.
    func pick(_ texts: JSONNode) -> (locale: String, text: JSONNode)? {
        for tag in order {
            if let text = texts.text(in: tag.text) { return (tag.text, text) }
        }
        return texts.firstText
    }
}
