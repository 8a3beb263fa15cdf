package import Values

/// Which entries of the audit are asked for.
package struct AuditFilter: Sendable, Equatable {
    package var feed: String?
    /// As the entries have the name.
    package var actor: String?
    package var since: Timestamp?

    package init(feed: String? = nil, actor: String? = nil, since: Timestamp? = nil) {
        self.feed = feed
        self.actor = actor
        self.since = since
    }
}
