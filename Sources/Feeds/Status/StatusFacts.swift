package import Values

/// The facts from which the status of a server follows. All are of one snapshot of the database.
package struct StatusFacts: Sendable {
    package struct Draft: Sendable {
        package let feed: String
        package let revision: Int
        package let differsSince: Timestamp

        package init(feed: String, revision: Int, differsSince: Timestamp) {
            self.feed = feed
            self.revision = revision
            self.differsSince = differsSince
        }
    }

    package struct Token: Sendable {
        package let name: String
        package let expiresAt: Timestamp

        package init(name: String, expiresAt: Timestamp) {
            self.name = name
            self.expiresAt = expiresAt
        }
    }

    /// The feeds, storefronts and spans with unpublished changes that are not older than ``publishingTime``.
    package struct PendingKeys: Sendable {
        package var feeds: Set<String> = []
        package var storefronts: Set<String> = []
        /// The feeds with a storefront in which their schedule changed, such as `today/us`.
        package var spans: Set<String> = []

        package init() {}
    }

    /// The time for which a draft may differ from the base without a warning.
    package static let draftAge = Duration.seconds(14 * 86_400)
    /// The time before its expiry at which a token causes a warning.
    package static let tokenNotice = Duration.seconds(7 * 86_400)
    /// The time that the sequencer may need for a feed without a warning, after the start or end of a publication, or a
    /// change of the feed or a storefront.
    package static let publishingTime = Duration.seconds(30)
    /// The age of an unpublished change that causes a warning. A large import needs minutes.
    package static let pendingTime = Duration.seconds(10 * 60)

    package let time: Timestamp
    package let version: Int
    /// Whether a process is the leader, which publishes changes.
    package let hasLeader: Bool
    package let pendingChangeCount: Int
    /// The number of them that imports have made.
    package var pendingImportedChangeCount = 0
    /// The number of sections per storefront that published imports have changed, and that are not yet composed again.
    package var pendingSectionCount = 0
    package let pendingItemCount: Int
    /// The number of items that cannot be indexed.
    package let unindexedItemCount: Int
    package let storefronts: [ServerStatus.Storefront]
    /// The drafts that differ from the base for longer than ``draftAge``.
    package let drafts: [Draft]
    /// The time of the oldest unpublished change, or nil if everything is published.
    package var pendingSince: Timestamp?
    package var pendingKeys = PendingKeys()
    /// The newest import if it failed.
    package var failedImport: Int?
    /// All feeds, including archived feeds.
    package var feeds: [FeedSummary] = []
    /// The publications that have not ended.
    package var publications: [Publication] = []
    /// The live findings.
    package var findings: [LiveFinding] = []
    /// The tokens that expire within ``tokenNotice`` and that the caller may know of.
    package var expiringTokens: [Token] = []

    package init(
        time: Timestamp, version: Int, hasLeader: Bool, pendingChangeCount: Int, pendingItemCount: Int, unindexedItemCount: Int,
        storefronts: [ServerStatus.Storefront], drafts: [Draft]
    ) {
        self.time = time
        self.version = version
        self.hasLeader = hasLeader
        self.pendingChangeCount = pendingChangeCount
        self.pendingItemCount = pendingItemCount
        self.unindexedItemCount = unindexedItemCount
        self.storefronts = storefronts
        self.drafts = drafts
    }
}
