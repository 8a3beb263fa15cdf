package import Feeds
internal import JSON
package import Layout
package import Postgres
internal import Values

/// A reader of the facts from which the status of a server follows.
package struct StatusReader {
    private let session: PostgresSession

    /// Creates a reader for a session in a transaction, so that all facts are of one snapshot.
    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Returns the facts of one storefront or of all, without the tokens and the imports. `storefronts` are the keys of
    /// the storefronts to report, including those without feeds.
    package func facts(in storefront: String?, of storefronts: [String]) async throws -> StatusFacts {
        let results = try await session.run([
            PostgresQuery(StatusQueries.publishing, SequencerQueries.leaderLock, ServerStatus.maxPendingItemCount),
            PostgresQuery(StatusQueries.published, storefront), Self.findings(in: storefront), PostgresQuery(StatusQueries.storefronts),
        ])
        let state = try results[0].rows(
            as: Int.self, Bool.self, Int.self, Int.self, Timestamp?.self, Int.self, Int.self, Int.self, Timestamp.self
        ).first
        guard let (version, hasLeader, changes, imported, since, sections, items, unindexed, time) = state else {
            throw PostgresError(.undecodable, "the sync head is missing", query: StatusQueries.publishing.name.description)
        }
        var facts = StatusFacts(
            time: time, version: version, hasLeader: hasLeader, pendingChangeCount: changes, pendingItemCount: items,
            unindexedItemCount: unindexed, storefronts: try Self.storefronts(storefronts, in: results[1]),
            drafts: try await drafts(at: time))
        facts.findings = try Self.findings(in: results[2])
        facts.pendingImportedChangeCount = imported
        facts.pendingSectionCount = sections
        facts.pendingSince = since
        // Without unpublished changes, no key can have one.
        if since != nil { facts.pendingKeys = try await pendingKeys(at: time) }
        let feeds = FeedStore(session)
        // A publication that ended just now explains why another one is not published yet.
        facts.publications = try await feeds.publications(notOverAt: time.advanced(by: .zero - StatusFacts.publishingTime))
        let open = try results[3].rows(as: String.self)
        facts.feeds = try await feeds.feeds(at: time, of: facts.publications, in: Set(open))
        if let storefront {
            facts.publications = facts.publications.compactMap { publication in
                var publication = publication
                publication.spans.removeAll { $0.storefront != storefront }
                return publication.spans.isEmpty ? nil : publication
            }
        }
        return facts
    }

    /// Returns the live findings of one storefront, feed or severity, or of all.
    package func report(
        storefront: String? = nil, feed: String? = nil, severity: Finding.Severity? = nil
    ) async throws(PostgresError) -> HealthReport {
        let results = try await session.run([Self.findings(in: storefront, feed, severity), PostgresQuery(StatusQueries.time)])
        guard let time = try results[1].rows(as: Timestamp.self).first else {
            throw PostgresError(.undecodable, "the database returned no time", query: StatusQueries.time.name.description)
        }
        return HealthReport(checkedAt: time, findings: try Self.findings(in: results[0]))
    }

    private static func findings(in result: PostgresResult) throws(PostgresError) -> [LiveFinding] {
        let rows = try result.rows(
            as: String.self, [String].self, String.self, String.self, String?.self, Int32?.self, [String].self, String.self, String.self,
            String.self, Timestamp.self)
        return LiveFinding.inOrder(
            rows.map { feed, storefronts, code, severity, section, revision, platforms, pointer, message, help, since in
                LiveFinding(
                    code: code, severity: Finding.Severity(rawValue: severity) ?? .warning, since: since, feed: feed,
                    revision: revision.map(Int.init), section: section, storefronts: storefronts.sorted(), platforms: platforms,
                    pointer: JSONPointer(pointer) ?? .root, message: message, help: help)
            })
    }

    private static func findings(in storefront: String?, _ feed: String? = nil, _ severity: Finding.Severity? = nil) -> PostgresQuery {
        PostgresQuery(StatusQueries.findings, storefront, feed, severity?.rawValue)
    }

    private static func storefronts(_ keys: [String], in result: PostgresResult) throws(PostgresError) -> [ServerStatus.Storefront] {
        let rows = try result.rows(as: String.self, String.self, Int32.self, Int32.self)
        let feeds = Dictionary(grouping: rows) { $0.0 }.mapValues { rows in
            rows.map { ServerStatus.PublishedFeed(feed: $0.1, revision: Int($0.2), sectionCount: Int($0.3)) }
        }
        return keys.map { ServerStatus.Storefront(key: $0, feeds: feeds[$0] ?? []) }
    }

    private func pendingKeys(at time: Timestamp) async throws(PostgresError) -> StatusFacts.PendingKeys {
        let query = PostgresQuery(StatusQueries.pendingKeys, time.advanced(by: .zero - StatusFacts.publishingTime))
        var keys = StatusFacts.PendingKeys()
        for (kind, key) in try await session.rows(of: query, as: String.self, String.self) {
            switch kind {
            case "feed": keys.feeds.insert(key)
            case "span": keys.spans.insert(key)
            default: keys.storefronts.insert(key)
            }
        }
        return keys
    }

    /// Returns the drafts that differ from the base for too long.
    private func drafts(at time: Timestamp) async throws(PostgresError) -> [StatusFacts.Draft] {
        let query = PostgresQuery(StatusQueries.drafts, time, time.advanced(by: .zero - StatusFacts.draftAge))
        return try await session.rows(of: query, as: String.self, Int32.self, Timestamp.self)
            .map { StatusFacts.Draft(feed: $0, revision: Int($1), differsSince: $2) }
    }
}

enum StatusQueries {
    static let publishing = NamedQuery("status.publishing")
    static let published = NamedQuery("status.published")
    static let findings = NamedQuery("status.findings")
    static let storefronts = NamedQuery("status.storefronts")
    static let time = NamedQuery("status.time")
    static let drafts = NamedQuery("status.drafts")
    static let pendingKeys = NamedQuery("status.pending_keys")
}
