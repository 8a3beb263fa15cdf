internal import Feeds
internal import Items
internal import Postgres
internal import Values

extension Drain {
    /// Composes the feeds of a storefront like a new sequencer would, and writes nothing. Returns nil while unpublished
    /// changes can affect the feeds.
    mutating func audit(_ storefront: String) async throws -> FeedConsistencyCheck? {
        let ahead = sequencer.clockAhead.wholeMicroseconds
        let results = try await session.run(
            [
                PostgresQuery(SequencerQueries.inspectHead, ahead), PostgresQuery(SequencerQueries.storefronts, ahead),
                PostgresQuery(SequencerQueries.liveRevisions, ahead), PostgresQuery(RuleQueries.platforms),
            ] + ExperimentStore.registryQueries)
        guard
            let (head, time, publishedTime, hasChanges) = try results[0].rows(
                as: Int.self, Timestamp.self, Timestamp.self, Bool.self
            ).first
        else { throw PostgresError(.undecodable, "the sync head is missing", query: SequencerQueries.inspectHead.name.description) }
        if hasChanges { return nil }
        registry = try ExperimentStore.registry(in: Array(results[4...]))
        known = try await published(head, in: storefront)
        state = known
        (state.time, state.publishedTime) = (time, publishedTime)
        state.storefronts = try StorefrontDay.all(of: results[1]).filter { $0.storefront.key == storefront }
        state.platforms = try ClientPlatforms(results[3])
        try readLive(in: results[2])
        try await readDocuments()
        try await readClocks()
        markDirty(isNew: true, try await readTouched(isNew: true))
        var check = audit(writes(of: try await compose()))
        if let day = state.storefronts.first {
            let published = try await publishedStorefronts(storefront)[storefront]
            check.comparesStorefront = true
            if published?.storefront != day.storefront { check.storefrontFlaw = published == nil ? .missing : .other }
        }
        return check
    }

    private func audit(_ writes: (layouts: [Write], parts: [Write])) -> FeedConsistencyCheck {
        var audit = FeedConsistencyCheck()
        audit.compared = known.published.values.reduce(known.layouts.count + broken.count) { $0 + $1.documents.count }
        audit.unreadable = state.unreadable.count + state.sealed.count
        // Layouts are always checked, even if no feed of this storefront uses them.
        let damaged = broken.map { broken in
            DocumentMismatch(
                kind: broken.key.kind, id: broken.key.id, storefront: broken.storefrontFeed.storefront,
                feed: broken.key.kind == .layout ? nil : broken.storefrontFeed.feed, flaw: .damaged)
        }
        audit.differences = Set(damaged)
        let keys = Set(damaged.map { [$0.kind.rawValue, $0.id, $0.storefront] })
        for write in writes.layouts + writes.parts where !keys.contains([write.key.kind.rawValue, write.key.id, write.storefront]) {
            let present = write.feed.flatMap {
                known.published[StorefrontFeed(storefront: write.storefront, feed: $0)]?.documents[write.key]
            }
            let flaw: DocumentMismatch.Reason = write.document == nil ? .surplus : present == nil ? .missing : .other
            audit.differences.insert(
                DocumentMismatch(kind: write.key.kind, id: write.key.id, storefront: write.storefront, feed: write.feed, flaw: flaw))
        }
        return audit
    }
}
