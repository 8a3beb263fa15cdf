package import Items

/// What a client says about itself, as far as targets ask; nil is what it has not said.
package struct Audience: Sendable, Hashable {
    package var storefront: String
    package var locale: LocaleTag
    package var platform: String?
    package var appVersion: Version?
    package var os: Version?
    package var tags: Set<String>
    package var clientID: String?

    package init(
        storefront: String, locale: LocaleTag, platform: String? = nil, appVersion: Version? = nil, os: Version? = nil,
        tags: Set<String> = [], clientID: String? = nil
    ) {
        self.storefront = storefront
        self.locale = locale
        self.platform = platform
        self.appVersion = appVersion
        self.os = os
        self.tags = tags
        self.clientID = clientID
    }
}
