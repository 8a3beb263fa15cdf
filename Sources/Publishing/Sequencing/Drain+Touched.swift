internal import Feeds
internal import Items
internal import Postgres
internal import Values

extension Drain {
    /// The items that have changed, with their current facts in each storefront.
    struct AffectedItems {
        var items: Set<UUID> = []
        /// The items that became available or unavailable since the catalogs of the storefronts were last published.
        var crossing: Set<UUID> = []
        /// The facts by storefront and item, or nil if too many items have changed to read them.
        var facts: [String: [UUID: ItemFacts]]?
    }

    /// Returns the items of the outbox, and the items that became available or unavailable.
    mutating func readTouched(isNew: Bool) async throws -> AffectedItems {
        let keys = state.storefronts.map(\.storefront.key)
        let references = Set(state.documents.values.flatMap { $0.sections.flatMap(\.references) }).union(state.health.openedItems)
        var slugs: [(kind: ItemKind, slug: String)] = []
        state.references = [:]
        for reference in references {
            switch reference {
            case .id(let id): state.references[reference] = id
            case .slug(let kind, let slug): slugs.append((kind, slug))
            }
        }
        var queries = [
            PostgresQuery(SequencerQueries.references, slugs.map(\.kind.rawValue), slugs.map(\.slug)),
            PostgresQuery(SequencerQueries.bounds, keys, state.publishedTime, state.time),
        ]
        if !isNew, known.time != state.publishedTime {
            queries.append(PostgresQuery(SequencerQueries.bounds, keys, known.time, state.time))
        }
        let results = try await session.run(queries)
        for (kind, slug, id) in try results[0].rows(as: String.self, String.self, UUID.self) {
            if let kind = ItemKind(rawValue: kind) { state.references[.slug(kind, slug)] = id }
        }
        var touched = AffectedItems(items: changes.items.union(changes.listings))
        touched.crossing = Set(try results[1].rows(as: UUID.self))
        if isNew { return touched }
        touched.items.formUnion(results.count > 2 ? Set(try results[2].rows(as: UUID.self)) : touched.crossing)
        guard !isLarge, touched.items.count <= sequencer.maxTraced else { return touched }
        touched.facts = try await facts(of: touched.items, in: state.storefronts.map(\.storefront))
        return touched
    }

    private func facts(of items: Set<UUID>, in storefronts: [Storefront]) async throws(PostgresError) -> [String: [UUID: ItemFacts]] {
        if items.isEmpty { return [:] }
        return try await rounds.facts(storefronts.map { ($0, items) })
    }

    /// Marks the sections to compose again. A feed whose revision or published documents are unreadable stays
    /// unchanged, whatever the time.
    mutating func markDirty(isNew: Bool, _ touched: AffectedItems) {
        let isUntraceable = isLarge || touched.facts == nil && !touched.items.isEmpty
        let liveFeeds = Dictionary(grouping: live, by: \.key.storefront)
        for day in state.storefronts {
            let key = day.storefront.key
            let isChanged =
                isNew || isUntraceable || changes.storefronts.contains(key) || known.platforms != state.platforms
                || !known.storefronts.contains { $0.storefront == day.storefront }
            for (storefrontFeed, live) in liveFeeds[key] ?? [] {
                let document = state.document(of: live.revision, storefrontFeed.feed)
                guard state.sealed[storefrontFeed] == nil, let document else {
                    if live.revision != nil { neglect(storefrontFeed) }
                    continue
                }
                let isNeglected = state.neglected.remove(storefrontFeed) != nil
                if isChanged || isNeglected || state.published[storefrontFeed]?.revision != live.revision {
                    dirty.insertAll(of: document, in: storefrontFeed)
                } else {
                    // Another publication of the revision and a change of an experiment change the document of the feed, and the
                    // items of no section.
                    if let published = state.published[storefrontFeed],
                        published.publication != live.publication || published.registry != registry.used(by: document, in: key)
                    {
                        dirty.insertFeed(storefrontFeed)
                    }
                    // It resolves the page of the feed, so it is the same for all sections.
                    let context = touched.items.isEmpty ? nil : context(of: document, in: storefrontFeed, day)
                    for section in document.sections(in: key) {
                        let exists = section.exists(at: state.time, by: day.clock)
                        guard
                            exists != section.exists(at: known.time, by: day.clock)
                                || exists && isTouched(section, in: storefrontFeed, touched, context)
                        else { continue }
                        dirty.insert(section.key, in: storefrontFeed)
                    }
                }
                dirty.insertDependents(of: document, in: storefrontFeed)
            }
        }
        let storefronts = Set(state.storefronts.map(\.storefront.key))
        for (storefrontFeed, published) in state.published where published.revision != nil || !published.documents.isEmpty {
            if !storefronts.contains(storefrontFeed.storefront) || live[storefrontFeed]?.revision == nil {
                dirty.insertAll(of: nil, in: storefrontFeed)
            }
        }
    }

    /// Defers a feed until it is readable. Until then the clock does not change it, and afterwards all of it is
    /// composed.
    private mutating func neglect(_ storefrontFeed: StorefrontFeed) {
        state.sectionEnds[storefrontFeed] = nil
        state.retainedSections[storefrontFeed] = nil
        state.neglected.insert(storefrontFeed)
    }

    private func isTouched(
        _ section: FeedSection, in storefrontFeed: StorefrontFeed, _ touched: AffectedItems, _ context: RuleContext?
    ) -> Bool {
        if section.references.contains(where: { known.references[$0] != state.references[$0] }) { return true }
        let named = section.references.compactMap { state.references[$0] }.filter(touched.items.contains)
        let facts = touched.facts?[storefrontFeed.storefront] ?? [:]
        // A placed pin stays as it is if its facts are the same. All parts of a section are composed together.
        let areSame = named.allSatisfy { item in
            section.parts.contains { part, _ in isComposed(item, from: facts[item], in: part, of: storefrontFeed) }
        }
        return !areSame
            || section.parts.contains { part, selection in isTouched(part, selection, in: storefrontFeed, touched, context) }
    }

    private func isTouched(
        _ part: SectionPart, _ selection: ItemSelection, in storefrontFeed: StorefrontFeed, _ touched: AffectedItems,
        _ context: RuleContext?
    ) -> Bool {
        if let end = state.sectionEnds[storefrontFeed]?[part], end <= state.time { return true }
        if case .chart(let name) = selection.sort, changes.charts.contains("\(storefrontFeed.storefront)/\(name)") { return true }
        var items = touched.items
        let facts = touched.facts?[storefrontFeed.storefront] ?? [:]
        if let shown = state.published[storefrontFeed]?.parts[part]?.items(among: items), !shown.isEmpty {
            guard !selection.dependsOnTitles, shown.allSatisfy({ isComposed($0, from: facts[$0], in: part, of: storefrontFeed) }) else {
                return true
            }
            // The same items follow from the same facts. Most edits change only texts and images.
            items.subtract(shown)
        }
        guard let rule = selection.rule, let form = context?.normalForm(of: rule) else { return false }
        if case .rotation = selection.sort {
            // A step of a rotation depends on the number of items that take part. It is unknown which of the items that
            // were not shown took part.
            return items.contains { facts[$0].map { form.kinds.contains($0.kind) } ?? true }
        }
        return items.contains { facts[$0].map(form.matches) ?? false }
    }

    /// Whether a shelf or a list was composed with these facts of an item that it shows.
    private func isComposed(_ item: UUID, from facts: ItemFacts?, in part: SectionPart, of storefrontFeed: StorefrontFeed) -> Bool {
        guard let facts, let composed = state.composedFacts[storefrontFeed]?[part]?[item] else { return false }
        return facts.hashValue == composed
    }

    /// Returns the context for the rules of the document, from the current items of its sections.
    func context(of document: FeedDocument, in storefrontFeed: StorefrontFeed, _ day: StorefrontDay) -> RuleContext {
        let hasConditions = document.sections.contains { $0.parts.contains { !$0.selection.sectionsAbove.isEmpty } }
        var context = RuleContext(
            storefront: day.storefront, today: day.today,
            itemsOfSections: hasConditions
                ? document.visibleItems(state.published[storefrontFeed]?.parts ?? [:], in: day.storefront, on: state.platforms) : [:])
        context.foldedNames = state.foldedNames
        return context
    }
}

extension ComposedItems {
    /// Returns the shown items among others.
    fileprivate func items(among items: Set<UUID>) -> Set<UUID> {
        items.count < placements.count ? items.filter { placements[$0] != nil } : Set(placements.keys.filter(items.contains))
    }
}
