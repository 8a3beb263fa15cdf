internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import Layout
internal import Resolve
internal import Values

/// The way to find the response for a client if the URL alone does not decide it: by its locale, and on a personal page by that on which
/// the page depends.
///
/// Clients that it does not tell apart share one page with its tag and its compressed bytes, whatever their IDs, versions and
/// languages are. A plan belongs to one generation of the published state.
final class PagePlan: Sendable {
    /// The properties of a client on which its response depends.
    enum Variant: Hashable, Sendable {
        case locale(LocaleTag)
        case client(PageVariant)

        /// The approximate size in memory, in bytes.
        var bytes: Int {
            switch self {
            case .locale: 0
            case .client(let variant): variant.bytes
            }
        }
    }

    /// A page with `form=personal`.
    struct PersonalPage: Sendable {
        let dependencies: PageDependencies
        let screens: ScreenMatrix
        /// The platforms that a client can state.
        let platforms: [String]
        /// The platform of the URL, if it names one.
        let platform: String?
        /// The screen of the URL, if it names one.
        let screen: Screen?

        /// Returns the client that describes itself in the fields, with the facts on which the page depends.
        fileprivate func client(_ fields: HTTPFields) -> ClientContext {
            let facts = platform == nil ? dependencies.facts : dependencies.facts.subtracting(.platform)
            var client = ClientContext(fields, screens, platforms: platforms, reading: facts)
            client.override(platform: platform, screen: screen)
            return client
        }
    }

    private let storefront: Storefront
    /// The locale of the URL, if it names one.
    private let locale: LocaleTag?
    private let page: PersonalPage?
    /// The fallback locales of each locale that clients can get.
    private let fallbacks: [LocaleTag: [String]]
    private let languages: LanguageMemory

    /// Creates a plan. `page` is nil if the response depends on nothing but the locale.
    init(_ storefront: Storefront, locale: LocaleTag?, _ page: PersonalPage?, _ languages: LanguageMemory) {
        self.storefront = storefront
        self.locale = locale
        self.page = page
        self.languages = languages
        let locales = page == nil ? [] : locale.map { [$0] } ?? storefront.locales
        fallbacks = Dictionary(locales.map { ($0, $0.fallbacks.map(\.text)) }) { first, _ in first }
    }

    /// The approximate size in memory, in bytes.
    var bytes: Int { (page?.dependencies.bytes ?? 0) + fallbacks.count * Self.bytesOfLocale }

    /// The size of a locale with the texts of its fallback locales.
    private static let bytesOfLocale = 256

    /// The choice of a response by languages. Nil if the URL names the locale, or if the response depends on more of its client.
    var choice: LanguageChoice? {
        guard locale == nil, page == nil else { return nil }
        return LanguageChoice { [languages, storefront] value in languages.locale(for: AcceptedLanguages(value), in: storefront).text }
    }

    func variant(_ fields: HTTPFields) -> Variant {
        let locale = locale ?? languages.locale(for: AcceptedLanguages(fields), in: storefront)
        guard let page else { return .locale(locale) }
        let client = page.client(fields)
        var facts = client.facts
        facts.storefront = .said(storefront.key)
        facts.locale = .said(fallbacks[locale] ?? [])
        return .client(
            PageVariant(facts, in: locale, capabilities: client.capabilities, screen: client.screen, page.dependencies))
    }
}
