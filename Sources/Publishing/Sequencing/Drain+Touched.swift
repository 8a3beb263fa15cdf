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
        /// The items that an edit or the clock has changed.
        var urgent: Set<UUID> = []
        /// The other items, which only imports have changed. The sections that only these affect can wait for a later drain.
        var imported: Set<UUID> = []
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
        let passed = queries.count > 2 ? Set(try results[2].rows(as: UUID.self)) : touched.crossing
        touched.items.formUnion(passed)
        touched.urgent = changes.editedItems.union(passed)
        touched.imported = touched.items.subtracting(touched.urgent)
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

    /// Marks the sections to compose again, now or in a later drain. A feed whose revision or published documents are unreadable
    /// stays unchanged, whatever the time.
    mutating func markDirty(isNew: Bool, _ touched: AffectedItems) {
        let isUntraceable = isLarge || touched.facts == nil && !touched.items.isEmpty
        let liveFeeds = Dictionary(grouping: live, by: \.key.storefront)
        let knownDays = known.storefronts.byKey
        var later: [StorefrontFeed: [SectionKey]] = [:]
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
            let (urgent, imported) = (urgentChanges(touched, in: key), importedChanges(touched, in: key))
            let unavailable = imported.unavailable
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
                        if exists != section.exists(at: known.time, by: day.clock) {
                            dirty.insert(section.key, in: storefrontFeed)
                        } else if !exists {
                            continue
                        } else if isUrgent(section, in: storefrontFeed, urgent, unavailable, context) {
                            dirty.insert(section.key, in: storefrontFeed)
                        } else if isTouched(section, in: storefrontFeed, imported, context) {
                            later[storefrontFeed, default: []].append(section.key)
                        }
                    }
                }
            }
        }
        let storefronts = Set(state.storefronts.map(\.storefront.key))
        for (storefrontFeed, published) in state.published where published.revision != nil || !published.documents.isEmpty {
            if !storefronts.contains(storefrontFeed.storefront) || live[storefrontFeed]?.revision == nil {
                dirty.insertAll(of: nil, in: storefrontFeed)
            }
        }
        markDue(later, isNew: isNew)
    }

    /// Adds the sections that imports have changed to those that are due. Then marks the first ones of these to compose now, until
    /// enough are marked. Sections are marked together with those that depend on them, and with the due ones on which they depend.
    /// The sections that ended an earlier session are not marked, except one at a time.
    private mutating func markDue(_ later: [StorefrontFeed: [SectionKey]], isNew: Bool) {
        let live = live
        let (documents, unread) = (state.documents, state.neglected.union(state.sealed.keys))
        func document(of storefrontFeed: StorefrontFeed) -> FeedDocument? {
            if unread.contains(storefrontFeed) { return nil }
            return live[storefrontFeed]?.revision.flatMap { documents[SequencerState.Revision(feed: storefrontFeed.feed, number: $0)] }
        }
        func keys(in storefrontFeed: StorefrontFeed) -> Set<SectionKey> {
            Set(document(of: storefrontFeed)?.sections(in: storefrontFeed.storefront).map(\.key) ?? [])
        }
        failed.keep { keys(in: $0.storefrontFeed).contains($0.key) }
        failed.retry(at: state.time) { live[$0]?.revision }
        state.due.insert(later, at: state.time)
        for suspect in failed.suspects { state.due.insert(suspect.key, in: suspect.storefrontFeed) }
        let (suspects, failures) = (Set(failed.suspects), failed.failures)
        state.due.removeAll { failures[$0] != nil && !suspects.contains($0) }
        state.due.hasSuspects = !suspects.isEmpty
        for storefrontFeed in dirty.dirtySections.keys {
            guard let document = document(of: storefrontFeed) else { continue }
            let omitted = failed.omitted(in: storefrontFeed)
            dirty.insertRelated(of: document, in: storefrontFeed, due: state.due.keys(in: storefrontFeed).subtracting(omitted))
            dirty.remove(omitted, in: storefrontFeed)
        }
        // A new revision composes all of its sections, and no longer has the others.
        for storefrontFeed in state.due.storefrontFeeds {
            state.due.keep(keys(in: storefrontFeed).subtracting(dirty.dirtySections[storefrontFeed] ?? []), in: storefrontFeed)
        }
        // A drain that composes everything must not fail with a suspect.
        let enough = share.takeDue(
            of: isNew && state.due.hasSuspects ? 0 : state.due.count, atMost: sequencer.maxDue, hasFailed: state.due.hasFailed,
            areOverdue: state.due.areOverdue(at: state.time, after: Sequencer.maxDueTime))
        var marked = 0
        for due in state.due.sections where marked < enough {
            guard let document = document(of: due.storefrontFeed) else { continue }
            let omitted = failed.omitted(in: due.storefrontFeed).subtracting([due.key])
            let before = dirty.count(in: due.storefrontFeed)
            dirty.insert(due.key, in: due.storefrontFeed)
            dirty.insertRelated(
                of: document, in: due.storefrontFeed, due: state.due.keys(in: due.storefrontFeed).subtracting(omitted))
            dirty.remove(omitted, in: due.storefrontFeed)
            marked += dirty.count(in: due.storefrontFeed) - before
        }
        let composed = dirty.dirtySections
        state.due.removeAll { composed[$0.storefrontFeed]?.contains($0.key) == true }
        share.leftDue = state.due.count
        state.due.noteSuccess(of: share)
    }

    /// Defers a feed until it is readable. Until then the clock does not change it, and afterwards all of it is
    /// composed.
    private mutating func neglect(_ storefrontFeed: StorefrontFeed) {
        state.sectionEnds[storefrontFeed] = nil
        state.retainedSections[storefrontFeed] = nil
        state.neglected.insert(storefrontFeed)
    }

    /// The changes that can affect the sections of a storefront.
    private struct SectionChanges {
        let items: Set<UUID>
        /// The items whose facts have changed. The others can have other titles.
        let changed: Set<UUID>
        let facts: [UUID: ItemFacts]
        let charts: Set<String>

        /// The items that are not available, or are not indexed yet.
        var unavailable: Set<UUID> { items.filter { facts[$0] == nil } }
    }

    private func urgentChanges(_ touched: AffectedItems, in storefront: String) -> SectionChanges {
        let changed = touched.changed[storefront] ?? touched.items
        return SectionChanges(
            items: touched.urgent, changed: touched.imported.isEmpty ? changed : changed.intersection(touched.urgent),
            facts: touched.facts?[storefront] ?? [:], charts: changes.editedCharts)
    }

    private func importedChanges(_ touched: AffectedItems, in storefront: String) -> SectionChanges {
        let changed = touched.changed[storefront] ?? touched.items
        return SectionChanges(
            items: touched.imported, changed: touched.urgent.isEmpty ? changed : changed.intersection(touched.imported),
            facts: touched.facts?[storefront] ?? [:], charts: changes.importedCharts)
    }

    /// Whether the section cannot wait for a later drain. This is the case if an edit or the clock affects it, and if it shows or
    /// names an item that an import has made unavailable, because that item may no longer be published.
    private func isUrgent(
        _ section: FeedSection, in storefrontFeed: StorefrontFeed, _ urgent: SectionChanges, _ unavailable: Set<UUID>,
        _ context: RuleContext?
    ) -> Bool {
        if section.references.contains(where: { known.references[$0] != state.references[$0] }) { return true }
        let ends = state.sectionEnds[storefrontFeed] ?? [:]
        if section.parts.contains(where: { part, _ in ends[part].map { $0 <= state.time } ?? false }) { return true }
        return isTouched(section, in: storefrontFeed, urgent, context) || shows(section, anyOf: unavailable, in: storefrontFeed)
    }

    private func shows(_ section: FeedSection, anyOf items: Set<UUID>, in storefrontFeed: StorefrontFeed) -> Bool {
        if items.isEmpty { return false }
        if section.references.contains(where: { state.references[$0].map(items.contains) ?? false }) { return true }
        let parts = state.published[storefrontFeed]?.parts ?? [:]
        return section.parts.contains { part, _ in parts[part]?.shows(anyOf: items) ?? false }
    }

    private func isTouched(
        _ section: FeedSection, in storefrontFeed: StorefrontFeed, _ changes: SectionChanges, _ context: RuleContext?
    ) -> Bool {
        // A heading depends on the title of its item, which is not a fact.
        let isByTitle = section.parts.contains { $0.selection.isByTitle }
        let changed = isByTitle ? changes.items : changes.changed
        if section.references.contains(where: { state.references[$0].map(changed.contains) ?? false }) { return true }
        return section.parts.contains { part, selection in isTouched(part, selection, in: storefrontFeed, changes, context) }
    }

    private func isTouched(
        _ part: SectionPart, _ selection: ItemSelection, in storefrontFeed: StorefrontFeed, _ changes: SectionChanges,
        _ context: RuleContext?
    ) -> Bool {
        if case .chart(let name) = selection.sort, changes.charts.contains("\(storefrontFeed.storefront)/\(name)") { return true }
        let changed = selection.isByTitle ? changes.items : changes.changed
        if changed.isEmpty { return false }
        if state.published[storefrontFeed]?.parts[part]?.shows(anyOf: changed) ?? false { return true }
        guard let rule = selection.rule, let form = context?.normalForm(of: rule) else { return false }
        let facts = changes.facts
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
