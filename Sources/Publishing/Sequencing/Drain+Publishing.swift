internal import Feeds
internal import Items
internal import Postgres
internal import Values

extension Drain {
    struct Write {
        let key: PublishedEntry.Key
        let storefront: String
        let feed: String?
        let item: UUID?
        /// The document, or nil if it is deleted.
        let document: [UInt8]?
    }

    /// Publishes each difference with its own version: storefronts, layouts, items, and the rest of the feeds. The content of
    /// crossing items is unchanged, but the catalogs that include them are different.
    mutating func publish(_ composed: [Composed], crossing: Set<UUID>) async throws {
        var (layouts, parts) = writes(of: composed)
        removeBroken(&layouts, &parts)
        let first = state.head
        try await publishStorefronts()
        isAtSections = true
        try await write(layouts.sorted { $0.key.id < $1.key.id })
        isAtSections = false
        var items = changes.items.union(crossing)
        // A placed item is published with its placement, even if the transaction that wrote it is not in this share.
        if !share.isEverything { items.formUnion(parts.compactMap { $0.document == nil ? nil : $0.item }) }
        for items in items.sorted().chunks(of: Self.itemsAtOnce) { try await publish(Array(items)) }
        try await publishLargeShare()
        // If two feeds change together, all sections precede all placements.
        isAtSections = true
        try await write(parts.sorted { ($0.key.kind, $0.storefront, $0.key.id) < ($1.key.kind, $1.storefront, $1.key.id) })
        isAtSections = false
        setEnds()
        report.head = state.head
        report.versions = state.head - first
        let isNewHead = report.versions > 0
        // The versions of a complete head stay one committed state, whatever is due. Clients at this head need not know of it.
        let isComplete = share.isComplete || wasComplete && !isNewHead
        let isOther = isNewHead || isComplete != wasComplete
        guard isOther || share.leftDue != publishedDue else { return }
        // Due sections are only in memory. The time shows them to other sequencers.
        state.publishedTime = state.time
        closing.append(PostgresQuery(SequencerQueries.setHead, state.head, state.time, isComplete, share.leftDue))
        if isOther { closing.append(PostgresQuery(SequencerQueries.notify, state.head)) }
    }

    private static let itemsAtOnce = 10_000

    private mutating func publish(_ items: [UUID]) async throws {
        let query = PostgresQuery(
            SequencerQueries.publishItems, items, state.head, state.time, Array(changes.republishedItems.intersection(items)))
        state.head += try await session.rows(of: query, as: Int.self).first ?? 0
    }

    /// Publishes the items of a large share while it reads them. The IDs of a transaction with millions of items are
    /// never in memory together.
    private mutating func publishLargeShare() async throws {
        guard isLarge else { return }
        // The query is not prepared, because the result of FETCH depends on the cursor.
        try await session.run(PostgresQuery(SequencerQueries.openItems, share.transactions, isPrepared: false))
        while true {
            let items = try await session.rows(of: PostgresQuery(SequencerQueries.nextItems, isPrepared: false), as: UUID.self)
            if items.isEmpty { break }
            report.changes += items.count
            try await publish(Set(items).sorted())
        }
        try await session.run([
            PostgresQuery(SequencerQueries.closeItems, isPrepared: false), PostgresQuery(SequencerQueries.removeItems, share.transactions),
        ])
    }

    /// Returns the documents that differ from the published ones.
    mutating func writes(of composed: [Composed]) -> (layouts: [Write], parts: [Write]) {
        var layouts: [Write] = []
        var parts: [Write] = []
        for feed in composed { write(feed, &layouts, &parts) }
        return (layouts, parts)
    }

    private mutating func write(_ feed: Composed, _ layouts: inout [Write], _ parts: inout [Write]) {
        let storefrontFeed = feed.storefrontFeed
        defer { forgetOtherParts(than: feed) }
        let published = state.published[storefrontFeed] ?? PublishedFeedState()
        var next = PublishedFeedState()
        next.revision = feed.revision
        // A section without items on the page is not published, and neither is its list.
        next.parts = feed.parts.filter { part, _ in feed.parts[.shelf(part.section)].map { !$0.isEmpty } ?? false }
        next.validUntil = published.validUntil
        let others: Set<PublishedEntry.Key>
        if let document = feed.document, let revision = feed.revision {
            next.publication = live[storefrontFeed]?.publication
            next.registry = registry.used(by: document, in: storefrontFeed.storefront)
            next.isComposed = true
            if published.isSame(as: next) { return }
            let composer = FeedComposer(
                document, revision: revision, publication: next.publication, registry: next.registry, hashedBy: sequencer.hash)
            let kept: FeedComposer.Kept
            (kept, others) = next.keepDocuments(of: published, in: document)
            for entry in composer.unorderedEntries(
                feed.parts, keeping: published.previous, except: kept, generation: state.head + 1)
            {
                guard entry.key.kind != .layout else {
                    guard state.layouts.insert(entry.key.id).inserted else { continue }
                    layouts.append(Write(key: entry.key, storefront: "*", feed: nil, item: nil, document: entry.document))
                    continue
                }
                next.store(entry)
                guard published.documents[entry.key] != entry.document else { continue }
                parts.append(
                    Write(
                        key: entry.key, storefront: storefrontFeed.storefront, feed: storefrontFeed.feed, item: entry.item,
                        document: entry.document))
            }
        } else {
            others = Set(published.documents.keys)
        }
        for key in others where next.documents[key] == nil && published.documents[key] != nil {
            parts.append(
                Write(key: key, storefront: storefrontFeed.storefront, feed: storefrontFeed.feed, item: published.items[key], document: nil)
            )
        }
        state.published[storefrontFeed] = next.revision == nil ? nil : next
    }

    /// Removes what is known about shelves and lists that the feed no longer has. Most feeds then have no entry, because each drain
    /// visits all entries.
    private mutating func forgetOtherParts(than feed: Composed) {
        let storefrontFeed = feed.storefrontFeed
        let parts = Set(feed.sections.flatMap { $0.parts.map(\.part) })
        let ends = (state.sectionEnds[storefrontFeed] ?? [:]).filter { parts.contains($0.key) }
        let retained = (state.retainedSections[storefrontFeed] ?? [:]).filter { parts.contains($0.key) }
        state.sectionEnds[storefrontFeed] = ends.isEmpty ? nil : ends
        state.retainedSections[storefrontFeed] = retained.isEmpty ? nil : retained
    }

    /// Removes damaged documents that are no longer required. Required ones are among the writes. Unreadable ones are
    /// kept, because they can be required.
    private func removeBroken(_ layouts: inout [Write], _ parts: inout [Write]) {
        let written = Set((layouts + parts).map { [$0.key.kind.rawValue, $0.key.id, $0.storefront] })
        let isAllRead = state.sealed.isEmpty && state.neglected.isEmpty
        for broken in broken where !written.contains([broken.key.kind.rawValue, broken.key.id, broken.storefrontFeed.storefront]) {
            let (key, storefrontFeed) = (broken.key, broken.storefrontFeed)
            guard key.kind != .layout else {
                if isAllRead { layouts.append(Write(key: key, storefront: storefrontFeed.storefront, feed: nil, item: nil, document: nil)) }
                continue
            }
            if state.sealed[storefrontFeed] != nil || state.neglected.contains(storefrontFeed) { continue }
            parts.append(
                Write(key: key, storefront: storefrontFeed.storefront, feed: storefrontFeed.feed, item: broken.item, document: nil))
        }
    }

    private mutating func write(_ writes: [Write]) async throws {
        for chunk in writes.chunks(of: 5_000) {
            let query = PostgresQuery(
                SequencerQueries.publish, chunk.map(\.key.kind.rawValue), chunk.map(\.key.id), chunk.map(\.storefront),
                chunk.map { write in write.feed.map { StoredFeedName.name(of: write.key, in: $0) } },
                chunk.map(\.item), chunk.indices.map { state.head + 1 + $0 - chunk.startIndex },
                chunk.map { write in write.document.map { String(decoding: $0, as: UTF8.self) } })
            try await session.run(query)
            state.head += chunk.count
        }
    }

    /// Stores the time until which the clock alone does not change each feed.
    private mutating func setEnds() {
        var changed: [(place: StorefrontFeed, end: Timestamp?)] = []
        var switches: [Timestamp] = []
        let days = state.storefronts.byKey
        for storefrontFeed in state.published.keys {
            let day = days[storefrontFeed.storefront]
            let nextSwitch = day.flatMap { self.nextSwitch(in: storefrontFeed, on: $0) }
            if let nextSwitch { switches.append(nextSwitch) }
            let ends =
                (state.sectionEnds[storefrontFeed] ?? [:]).values
                + [live[storefrontFeed]?.until, nextAvailabilityChange(in: storefrontFeed, on: day), nextSwitch].compactMap(\.self)
            let end = ends.min()
            guard state.published[storefrontFeed]?.validUntil != end else { continue }
            state.published[storefrontFeed]?.validUntil = end
            changed.append((storefrontFeed, end))
        }
        report.nextTime =
            (live.values.compactMap(\.until) + state.availability.values.compactMap { $0.list.first?.time }
            + state.sectionEnds.values.flatMap(\.values) + switches).min()
        guard !changed.isEmpty else { return }
        closing.append(
            PostgresQuery(SequencerQueries.setEnds, changed.map(\.place.storefront), changed.map(\.place.feed), changed.map(\.end)))
    }
}
