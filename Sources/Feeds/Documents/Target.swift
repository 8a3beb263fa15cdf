package import Items

/// Whom a section is for. What says nothing leaves out nobody; one condition at least says something.
package struct Target: Sendable, Hashable {
    package let storefronts: [String]
    /// One without a script or a region stands for those with one as well.
    package let locales: [LocaleTag]
    package let platforms: [String]
    package let appVersion: VersionRange?
    package let os: VersionRange?
    /// One of them is enough.
    package let tags: [String]
    package let bucket: Bucket?

    /// A pure function, so that a client that syncs comes to the same answer as the server. A condition on something that the client has not
    /// said does not hold.
    package func includes(_ audience: Audience) -> Bool {
        isFor(audience.storefront)
            && (locales.isEmpty || locales.contains { audience.locale.isOrRefines($0) })
            && (platforms.isEmpty || audience.platform.map(platforms.contains) ?? false)
            && holds(appVersion, audience.appVersion) && holds(os, audience.os)
            && (tags.isEmpty || tags.contains { audience.tags.contains($0) })
            && (bucket.map { bucket in audience.clientID.map(bucket.includes) ?? false } ?? true)
    }

    /// Whether it is for anybody in the storefront.
    package func isFor(_ storefront: String) -> Bool { storefronts.isEmpty || storefronts.contains(storefront) }

    private func holds(_ range: VersionRange?, _ version: Version?) -> Bool {
        guard let range else { return true }
        return version.map(range.contains) ?? false
    }
}

extension LocaleTag {
    func isOrRefines(_ other: LocaleTag) -> Bool {
        let rest = text.utf8.dropFirst(other.text.utf8.count)
        return text.utf8.starts(with: other.text.utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "-"))
    }
}
