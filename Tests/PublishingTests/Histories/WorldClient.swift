import Items
import Resolve
import Values

/// A client of a `World`, which states some facts about itself.
struct WorldClient {
    let platform: String?
    let appVersion: String?
    let tags: [String]

    /// A client that states nothing, and others.
    static let all = [
        WorldClient(platform: nil, appVersion: nil, tags: []), WorldClient(platform: "ios", appVersion: "3.1", tags: []),
        WorldClient(platform: "android", appVersion: "2.0", tags: ["beta"]),
        WorldClient(platform: "ipados", appVersion: nil, tags: ["beta", "vip"]),
    ]

    /// The targets that tell the clients apart, as JSON.
    static let targets = [
        #"{"platforms": ["ios"]}"#, #"{"platforms": ["ipados", "android"]}"#, #"{"appVersion": ">=3"}"#, #"{"appVersion": "<3"}"#,
        #"{"tags": ["beta"]}"#, #"{"tags": ["vip", "staff"]}"#, #"{"storefronts": ["us", "de"]}"#, #"{"storefronts": ["sa"]}"#,
        #"{"locales": ["en", "ar"]}"#, #"{"storefronts": ["us"], "tags": ["beta"]}"#, #"{"platforms": ["web"]}"#,
    ]

    func facts(in storefront: Storefront, _ locale: LocaleTag) -> ClientFacts {
        var facts = ClientFacts.nothingSaid
        facts.storefront = .said(storefront.key)
        facts.locale = .said(locale.fallbacks.map(\.text))
        facts.platform = Fact(platform)
        facts.appVersion = Fact(appVersion.flatMap { Version($0) })
        if !tags.isEmpty { facts.tags = .said(Set(tags)) }
        return facts
    }

    /// Whether a target includes the client, condition by condition.
    func isIn(_ target: Target?, in storefront: Storefront, _ locale: LocaleTag) -> Bool {
        (target?.conditions ?? []).allSatisfy { condition in
            switch condition {
            case .storefronts(let keys): return keys.contains(storefront.key)
            case .locales(let texts): return texts.contains(locale.text)
            case .platforms(let names): return platform.map { names.contains($0) } ?? false
            case .appVersion(let range): return appVersion.flatMap { Version($0) }.map { range.contains($0) } ?? false
            case .tags(let names): return tags.contains { names.contains($0) }
            case .os, .experiment, .unreadable: return false
            }
        }
    }
}
