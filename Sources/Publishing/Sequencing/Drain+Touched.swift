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
        /// The items whose facts differ from those with which sections were composed, by storefront.
        var changed: [String: Set<UUID>] = [:]
        /// The storefronts in which the clock will change the availability or the price of one of the items. Empty if the facts
        /// are not read.
        var bounded: Set<String> = []
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
        // The items of the outbox are known before those of the clock, which are few and rare.
        let changed = changes.items.union(changes.listings)
        let early = isNew || isLarge || changed.count > sequencer.maxTraced ? [] : changed
        let results = try await session.run(queries + factQueries(of: early))
        for (kind, slug, id) in try results[0].rows(as: String.self, String.self, UUID.self) {
            if let kind = ItemKind(rawValue: kind) { state.references[.slug(kind, slug)] = id }
        }
        var touched = AffectedItems(items: changed)
        touched.crossing = Set(try results[1].rows(as: UUID.self))
        if isNew { return touched }
        touched.items.formUnion(queries.count > 2 ? Set(try results[2].rows(as: UUID.self)) : touched.crossing)
        guard !isLarge, touched.items.count <= sequencer.maxTraced else { return touched }
        touched.facts = [:]
        try addFacts(of: early, Array(results[queries.count...]), to: &touched)
        let late = touched.items.subtracting(early)
        try addFacts(of: late, try await session.run(factQueries(of: late)), to: &touched)
        for key in keys { touched.changed[key] = state.composedFacts.changed(touched.items, in: key, now: touched.facts?[key] ?? [:]) }
        return touched
    }

    /// Returns the queries for the facts of items in all storefronts, and for their next changes by the clock.
    private func factQueries(of items: Set<UUID>) -> [PostgresQuery] {
        if items.isEmpty { return [] }
        return [PostgresQuery(SequencerQueries.bounded, Array(items), state.time)]
            + rounds.factQueries(state.storefronts.map { ($0.storefront, items) })
    }

    private func addFacts(of items: Set<UUID>, _ results: [PostgresResult], to touched: inout AffectedItems) throws(PostgresError) {
        guard !items.isEmpty else { return }
        touched.bounded.formUnion(try results[0].rows(as: String.self))
        for (day, result) in zip(state.storefronts, results.dropFirst()) {
            for item in try SectionBatchComposer.facts(in: result) {
                touched.facts?[day.storefront.key, default: [:]][item.id] = item
            }
        }
    }

    /// Marks the sections to compose again. A feed whose revision or published documents are unreadable stays
    /// unchanged, whatever the time.
    mutating func markDirty(isNew: Bool, _ touched: AffectedItems) {
        let isUntraceable = isLarge || touched.facts == nil && !touched.items.isEmpty
        let liveFeeds = Dictionary(grouping: live, by: \.key.storefront)
        let knownDays = known.storefronts.byKey
        state.composedFacts.removeAll(except: Set(state.storefronts.map(\.storefront.key)))
        for day in state.storefronts {
            let key = day.storefront.key
            let isChanged =
                isNew || isUntraceable || changes.storefronts.contains(key) || known.platforms != state.platforms
                || knownDays[key]?.storefront != day.storefront
            if isChanged {
                state.composedFacts.remove(key)
            } else {
                state.composedFacts.update(touched.items, in: key, to: touched.facts?[key] ?? [:])
            }
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
        // A heading depends on the title of its item, which is not a fact.
        let isByTitle = section.parts.contains { $0.selection.isByTitle }
        let changed = isByTitle ? touched.items : touched.changed[storefrontFeed.storefront] ?? touched.items
        if section.references.contains(where: { state.references[$0].map(changed.contains) ?? false }) { return true }
        return section.parts.contains { part, selection in isTouched(part, selection, in: storefrontFeed, touched, context) }
    }

    private func isTouched(
        _ part: SectionPart, _ selection: ItemSelection, in storefrontFeed: StorefrontFeed, _ touched: AffectedItems,
        _ context: RuleContext?
    ) -> Bool {
        if let end = state.sectionEnds[storefrontFeed]?[part], end <= state.time { return true }
        if case .chart(let name) = selection.sort, changes.charts.contains("\(storefrontFeed.storefront)/\(name)") { return true }
        let changed = selection.isByTitle ? touched.items : touched.changed[storefrontFeed.storefront] ?? touched.items
        if changed.isEmpty { return false }
        if state.published[storefrontFeed]?.parts[part]?.shows(anyOf: changed) ?? false { return true }
        guard let rule = selection.rule, let form = context?.normalForm(of: rule) else { return false }
        let facts = touched.facts?[storefrontFeed.storefront] ?? [:]
        if case .rotation = selection.sort {
            // A step of a rotation depends on the number of items that take part. It is unknown which of the items that
            // were not shown took part.
            return changed.contains { facts[$0].map { form.kinds.contains($0.kind) } ?? true }
        }
        return changed.contains { facts[$0].map(form.matches) ?? false }
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

extension ItemSelection {
    /// Whether the order or the headings depend on titles.
    fileprivate var isByTitle: Bool { sort == .title || grouping != .none }
}

extension ComposedItems {
    fileprivate func shows(anyOf items: Set<UUID>) -> Bool {
        items.count < placements.count ? items.contains { placements[$0] != nil } : placements.keys.contains(where: items.contains)
    }
}
