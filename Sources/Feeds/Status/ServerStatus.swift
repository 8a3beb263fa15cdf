package import JSON
package import Values

/// The live feeds of each storefront with their findings, the next scheduled change, and the conditions that need attention.
package struct ServerStatus: Sendable {
    /// A published feed as the clients of a storefront see it.
    package struct PublishedFeed: Sendable, Hashable {
        package let feed: String
        package let revision: Int
        package let sectionCount: Int

        package init(feed: String, revision: Int, sectionCount: Int) {
            self.feed = feed
            self.revision = revision
            self.sectionCount = sectionCount
        }
    }

    package struct Storefront: Sendable {
        package let key: String
        /// The published feeds, sorted by key.
        package let feeds: [PublishedFeed]

        package init(key: String, feeds: [PublishedFeed]) {
            self.key = key
            self.feeds = feeds
        }
    }

    package static let maxPendingItemCount = 10_000

    package let checkedAt: Timestamp
    /// The highest published version.
    package let version: Int
    /// The number of committed changes that are not yet published.
    package let pendingChangeCount: Int
    /// The number of these changes that imports have made.
    package let pendingImportedChangeCount: Int
    /// The number of sections per storefront that published imports have changed, and that are not yet composed again.
    package let pendingSectionCount: Int
    /// The number of items that wait for indexing, counted up to ``maxPendingItemCount``.
    package let pendingItemCount: Int
    /// All feeds, sorted by key.
    package let feeds: [FeedSummary]
    package let storefronts: [Storefront]
    /// The next scheduled change of a feed that is not archived, or nil if none is scheduled.
    package let nextChange: ScheduledChange?
    package let warnings: [StatusWarning]
    /// The live findings, errors first.
    package let findings: [LiveFinding]
}

extension ServerStatus: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("checkedAt", checkedAt.description)
        json.member("version", version)
        json.member("pendingChangeCount", pendingChangeCount)
        json.member("pendingImportedChangeCount", pendingImportedChangeCount)
        json.member("pendingSectionCount", pendingSectionCount)
        json.member("pendingItemCount", pendingItemCount)
        json.member("nextChange", nextChange)
        json.member("warnings", warnings)
        json.member("findings", findings)
        json.member("storefronts", storefronts)
        json.member("feeds", feeds)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        checkedAt = try object.value("checkedAt")
        version = try object.value("version")
        pendingChangeCount = try object.value("pendingChangeCount")
        pendingImportedChangeCount = object.value("pendingImportedChangeCount", default: 0)
        pendingSectionCount = object.value("pendingSectionCount", default: 0)
        pendingItemCount = try object.value("pendingItemCount")
        nextChange = object.essential("nextChange")
        warnings = try object.value("warnings")
        findings = object.essential("findings", default: [])
        storefronts = try object.value("storefronts")
        feeds = try object.value("feeds")
    }
}

extension ServerStatus.Storefront: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefront", key)
        json.member("feeds", feeds)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("storefront")
        feeds = try object.value("feeds")
    }
}

extension ServerStatus.PublishedFeed: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("revision", revision)
        json.member("sectionCount", sectionCount)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        feed = try object.value("feed")
        revision = try object.value("revision")
        sectionCount = try object.value("sectionCount")
    }
}
