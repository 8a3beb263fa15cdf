package import Items
package import JSON
internal import Values

/// Writes cards and the appearances of pinned items as clients of a storefront receive them, in one locale.
package struct PinRenderer: Sendable {
    private let storefront: Storefront
    private let locales: LocaleFallback
    /// The platform in the links of actions, if the client states a known one.
    private let platform: String?

    package init(_ storefront: Storefront, _ locales: LocaleFallback, platform: String? = nil) {
        self.storefront = storefront
        self.locales = locales
        self.platform = platform
    }

    /// Writes the card or the appearance of a placement, if it has one.
    package func write(_ content: PublishedPlacement.Content, to json: inout JSONWriter) {
        switch content {
        case .item(let item, let appearance):
            json.member("item", item.description)
            guard let appearance else { return }
            json.member("show") { json in
                write(appearance.texts, to: &json)
                write(appearance.image, appearance.action, to: &json)
            }
        case .card(let card):
            json.member("card") { json in
                write(card.texts, to: &json)
                write(card.image, card.action, to: &json)
            }
        }
    }

    private func write(_ texts: [(key: String, text: LocalizedText)], to json: inout JSONWriter) {
        for (key, text) in texts { json.member(key, locales.pick(text.texts)) }
    }

    private func write(_ image: ImageTemplate?, _ action: Action?, to json: inout JSONWriter) {
        if let image { json.member("image") { image.encodeMembers(to: &$0, in: locales) } }
        guard let action else { return }
        json.member("action") { json in
            json.member("kind", action.kind)
            json.member(action.kind.rawValue, action.target)
            json.member("href", link(of: action))
        }
    }

    /// Returns the address that a tap opens. A URL is its own address.
    private func link(of action: Action) -> String {
        switch action {
        case .item(let item): path("items/\(item)", for: action)
        case .feed(let key), .story(let key): path("feeds/\(key)", for: action)
        case .list(let feed, let section): path("feeds/\(feed)/sections/\(section)/items", for: action)
        case .search(let words): path("items", words: words, for: action)
        case .url(let url): url
        }
    }

    /// Returns a path with parameters in the order of their names, so that caches store each resource once.
    private func path(_ resource: String, words: String? = nil, for action: Action) -> String {
        let parameters = [("locale", locales.requested.text), ("platform", action.linksToPlatform ? platform : nil), ("q", words)]
        let query = parameters.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded())" } }
        return "/v1/\(storefront.key)/\(resource)?\(query.joined(separator: "&"))"
    }
}
