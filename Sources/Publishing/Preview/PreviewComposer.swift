package import Artwork
package import Feeds
package import Items
internal import JSON
package import Layout
package import Postgres
package import Values

/// Composes a document like the sequencer would at any time, and writes nothing. The catalog is the current one, but
/// the availability and the prices of items are those of the given time.
package struct PreviewComposer {
    let ruleTime: Duration
    package var timeForRules: Duration
    let timeForAbsent: Duration
    let placeholder: (Artwork) -> Placeholder
    /// The schemes of the URLs that actions can open.
    let actionSchemes: Set<String>
    let hash: LayoutHash
    let session: PostgresSession

    /// Creates a composer. A rule has the same time limit as in a drain, and all rules together have `timeForRules`.
    /// The search for unavailable items in all sections takes at most `timeForAbsent`. The session must be in a
    /// transaction, because savepoints are used. A read-only transaction with one snapshot is enough.
    package init(
        ruleTime: Duration = .seconds(1), timeForRules: Duration = .seconds(30),
        timeForAbsent: Duration = .milliseconds(500), placeholder: @escaping (Artwork) -> Placeholder = { $0.placeholder },
        actionSchemes: Set<String> = ["https"],
        hashedBy hash: @escaping LayoutHash, _ session: PostgresSession
    ) {
        self.ruleTime = ruleTime
        self.timeForRules = timeForRules
        self.timeForAbsent = timeForAbsent
        self.placeholder = placeholder
        self.actionSchemes = actionSchemes
        self.hash = hash
        self.session = session
    }

    /// A document that is composed at one time, in the requested storefronts.
    struct Stage {
        let time: Timestamp
        var storefronts: [StorefrontDay]
        let references: [ItemReference: UUID]
        let registry: ExperimentRegistry
        let platforms: ClientPlatforms
        /// The composed shelves and lists, by storefront.
        var parts: [String: [SectionPart: ComposedItems]] = [:]
        var outcomes: [String: [SectionPart: SectionBatchComposer.Outcome]] = [:]

        /// Returns the stage with the storefronts of another one, which are composed at a later time.
        func merged(with other: Stage) -> Stage {
            var merged = self
            merged.storefronts += other.storefronts
            merged.parts.merge(other.parts) { own, _ in own }
            merged.outcomes.merge(other.outcomes) { own, _ in own }
            return merged
        }
    }

    /// Composes the document. A nil time is now, and nil storefronts are all of them. A section whose rule finds too
    /// few items retains its previous items in the storefront. `keys` are the sections to compose, which are all if it is nil.
    func stage(
        _ document: FeedDocument, at requested: Timestamp?, in requestedStorefronts: [String]? = nil,
        keeping before: [String: [SectionPart: ComposedItems]] = [:], surplus: Int = 0, only keys: Set<SectionKey>? = nil
    ) async throws -> Stage {
        var slugs: [(kind: ItemKind, slug: String)] = []
        var references: [ItemReference: UUID] = [:]
        for reference in document.itemReferences {
            switch reference {
            case .id(let id): references[reference] = id
            case .slug(let kind, let slug): slugs.append((kind, slug))
            }
        }
        let results = try await session.run(
            [
                PostgresQuery(FeedQueries.time, requested), PostgresQuery(FeedQueries.storefronts, requested),
                PostgresQuery(SequencerQueries.references, slugs.map(\.kind.rawValue), slugs.map(\.slug)),
                LocalClocks.query(document.wallClocks), PostgresQuery(RuleQueries.platforms),
            ] + ExperimentStore.registryQueries)
        guard let time = try results[0].rows(as: Timestamp.self).first else {
            throw PostgresError(.undecodable, "the database returned no time", query: FeedQueries.time.name.description)
        }
        for (kind, slug, id) in try results[2].rows(as: String.self, String.self, UUID.self) {
            if let kind = ItemKind(rawValue: kind) { references[.slug(kind, slug)] = id }
        }
        var storefronts = try StorefrontDay.all(of: results[1]).filter { requestedStorefronts?.contains($0.storefront.key) ?? true }
        try LocalClocks(document.wallClocks, of: results[3]).set(in: &storefronts)
        var stage = Stage(
            time: time, storefronts: storefronts, references: references, registry: try ExperimentStore.registry(in: Array(results[5...])),
            platforms: try ClientPlatforms(results[4]))
        let tasks = storefronts.enumerated().flatMap { index, day in
            document.sections(on: day, at: time).filter { keys?.contains($0.key) ?? true }.flatMap { section in
                SectionBatchComposer.Task.all(section, of: document, at: index, on: day, previous: { before[day.storefront.key]?[$0] })
            }
        }
        let rounds = SectionBatchComposer(
            ruleTime: ruleTime, time: time, references: references, platforms: stage.platforms, surplus: surplus,
            timeForRules: timeForRules,
            endsInTime: true, session: session)
        var parts: [[SectionPart: ComposedItems]] = Array(repeating: [:], count: storefronts.count)
        for outcome in try await rounds.compose(tasks, of: Array(repeating: document, count: storefronts.count), into: &parts) {
            stage.outcomes[outcome.task.day.storefront.key, default: [:]][outcome.task.part] = outcome
        }
        for (day, parts) in zip(storefronts, parts) { stage.parts[day.storefront.key] = parts }
        return stage
    }
}

extension PreviewComposer {
    /// The minimum remaining time to run another query.
    private static var minTime: Duration { .milliseconds(10) }

    /// Returns the items that the rule of a section would find if they were available at the time. They are the first
    /// of the section's chart, or else the best rated. Their maximum number includes one for each pin. Each section can
    /// use half of the time that is left.
    func candidates(
        absentFor outcome: SectionBatchComposer.Outcome, on stage: Stage, until end: ContinuousClock.Instant
    ) async throws(PostgresError) -> (found: [Candidate], ruleFailure: RuleFailure?) {
        let section = outcome.task.section
        guard outcome.ruleFailure == nil, let form = section.rule.flatMap({ outcome.context.normalForm(of: $0) }) else {
            return ([], outcome.ruleFailure)
        }
        let time = min(ruleTime, (end - .now) / 2)
        guard time >= Self.minTime else { return ([], .skipped) }
        let storefront = outcome.context.storefront
        var chart: String?
        if case .chart(let name) = section.sort { chart = name }
        let query = PostgresQuery(
            RuleQueries.absent, storefront.key, storefront.scopes, stage.time, form.conditions,
            section.exclusions.compactMap { stage.references[$0] }, chart, Self.maxNext + section.pins.count)
        try await session.run(PostgresQuery(RuleQueries.savepoint))
        do throws(PostgresError) {
            let reader = CandidateReader(at: stage.time, eachWithin: time, session)
            let result = try await reader.queryResults([query], of: [0])[0]
            let rows = try result.rows(ofColumns: 10)
            try await session.run(PostgresQuery(RuleQueries.release))
            var found: [Candidate] = []
            for row in rows {
                guard let facts = try ItemFacts(row) else { continue }
                found.append(Candidate(facts: facts, rank: try row.value(at: 9, as: Int32?.self).map(Int.init)))
            }
            return (found, nil)
        } catch {
            guard error.sqlState == .queryCanceled else { throw error }
            try await session.run([PostgresQuery(RuleQueries.rollBack), PostgresQuery(RuleQueries.release)])
            return ([], .timeout)
        }
    }
}

extension PreviewComposer {
    /// Returns the published items of the sections that have not changed in the document, by storefront. It is empty
    /// for another time than now, and if this program cannot read the published feed.
    func visible(
        of document: FeedDocument, at time: Timestamp?, in storefronts: [String]
    ) async throws -> [String: [SectionPart: ComposedItems]] {
        guard time == nil else { return [:] }
        let feed = document.key.text
        let names = Array(repeating: feed, count: storefronts.count)
        let parts = try await PageReader.parts(
            session.run([PostgresQuery(PageQueries.parts, storefronts, names)])[0], of: storefronts.count)
        let published = zip(storefronts, parts).compactMap { storefront, parts in
            let documents = Dictionary(
                parts.map { (PublishedEntry.Key($0.kind, $0.id), $0.document) }, uniquingKeysWith: { first, _ in first })
            return Self.read { () throws(JSONError) in try PublishedFeedState(reading: documents) }.map {
                (storefront: storefront, feed: $0)
            }
        }
        let revisions = Set(published.compactMap { $0.feed.revision }).sorted()
        let texts = try await session.rows(
            of: PostgresQuery(
                SequencerQueries.revisionDocuments, revisions.map { _ in feed }, revisions.map { Int32(clamping: $0) }), as: String.self,
            Int32.self, String.self)
        var arranged: [Int: FeedDocument] = [:]
        for (_, number, text) in texts {
            arranged[Int(number)] = Self.read { () throws(JSONError) in try FeedDocument(parsing: Array(text.utf8), limits: .feed) }
        }
        var kept: [String: [SectionPart: ComposedItems]] = [:]
        for (storefront, feed) in published {
            guard let previous = feed.revision.flatMap({ arranged[$0] }) else { continue }
            kept[storefront] = feed.parts.filter { part, _ in document.sections.contains { $0.keeps(part, of: previous) } }
        }
        return kept
    }

    private static func read<Value>(_ body: () throws(JSONError) -> Value) -> Value? {
        do throws(JSONError) { return try body() } catch { return nil }
    }
}

extension PreviewComposer {
    /// Returns the page of a revision at a time, or now. A section whose rule finds too few items retains its published
    /// items. At a later time it is omitted, because its earlier items are unknown. Returns nil if the storefront does
    /// not exist.
    package func page(
        of document: FeedDocument, revision: Int, at time: Timestamp? = nil, for context: PageContext
    ) async throws -> [UInt8]? {
        var items: [UUID: Item] = [:]
        return try await pages(of: document, revision: revision, at: time, for: [context], with: &items)[context.storefront.key]
    }

    /// Returns the pages of several storefronts in as few queries as for one. Storefronts that do not exist are
    /// omitted. `items` are the items of the previous call in this transaction, which are not read again, and then
    /// the items of this call.
    package func pages(
        of document: FeedDocument, revision: Int, at time: Timestamp? = nil, for contexts: [PageContext], with items: inout [UUID: Item]
    ) async throws -> [String: [UInt8]] {
        let keys = contexts.map(\.storefront.key)
        let stage = try await stage(document, at: time, in: keys, keeping: try await visible(of: document, at: time, in: keys))
        var entries: [String: [PublishedEntry]] = [:]
        for (storefront, parts) in stage.parts {
            let registry = stage.registry.used(by: document, in: storefront)
            entries[storefront] = FeedComposer(document, revision: revision, registry: registry, hashedBy: hash).entries(parts)
        }
        let ids = Set(entries.values.joined().compactMap(\.item))
        let missing = ids.subtracting(items.keys).sorted()
        items = items.filter { ids.contains($0.key) }
        if !missing.isEmpty {
            for document in try await session.rows(of: PostgresQuery(FeedQueries.itemDocuments, missing, stage.time), as: JSONBytes.self) {
                let item = try Item(version: 0, document: document.bytes)
                items[item.id] = item
            }
        }
        var pages: [String: [UInt8]] = [:]
        for context in contexts {
            if let entries = entries[context.storefront.key] {
                pages[context.storefront.key] = try page(of: entries, for: context, items)
            }
        }
        return pages
    }

    private func page(of entries: [PublishedEntry], for context: PageContext, _ items: [UUID: Item]) throws -> [UInt8]? {
        var layouts: [LayoutID: PublishedLayout] = [:]
        for entry in entries where entry.key.kind == .layout {
            guard let id = LayoutID(entry.key.id) else { continue }
            let document = try JSONDocument(parsing: entry.document, limits: .ownOutput)
            layouts[id] = try document.decodeLeniently(PublishedLayout.self).value
        }
        let parts = entries.map { entry in
            FeedSnapshot.Part(kind: entry.key.kind, id: entry.key.id, version: 0, document: entry.document, validUntil: nil)
        }
        guard let snapshot = try FeedSnapshot(context.storefront.key, parts: parts, items: items, newest: 0) else { return nil }
        // The page is not published, so its sections have no "See All" list to link to.
        return try PageRenderer(
            snapshot, ServedLayouts(LayoutTable(layouts)), context, placeholder: placeholder, link: { section, _ in section.published.id }
        ).page()
    }
}
