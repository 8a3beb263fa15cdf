internal import HTTPMessages
internal import Items
internal import Values

/// The locales that the languages of clients match, in the storefronts of one published state.
///
/// Finding the fallback locales of a language takes longer than everything else about a stored page. There are few languages, and many
/// lists of them.
final class LanguageMemory: Sendable {
    private struct Key: Hashable, Sendable {
        let storefront: String
        let language: String
    }

    private let locales = BoundedCache<Key, LocaleTag?>(limit: 4_096)

    /// Returns the locale of a storefront that best suits `Accept-Language`.
    func locale(for languages: AcceptedLanguages, in storefront: Storefront) -> LocaleTag {
        for language in languages.tags {
            let key = Key(storefront: storefront.key, language: language)
            if let found = locales.value(of: key, make: { storefront.locale(for: language) }) { return found }
        }
        return storefront.defaultLocale
    }
}
