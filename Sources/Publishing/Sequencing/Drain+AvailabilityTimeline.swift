internal import Feeds
internal import Items
internal import Postgres
internal import Values

extension Drain {
    /// Reads which items come and go next, unless that is known and no item that has changed does so.
    mutating func readPassages(isNew: Bool, _ touched: AffectedItems) async throws {
        let isKnown = !isNew && touched.facts != nil && state.storefronts.allSatisfy { state.passages[$0.storefront.key] != nil }
        if isKnown, try await !touchesPassages(touched.items) { return }
        let keys = state.storefronts.map(\.storefront.key)
        let query = PostgresQuery(SequencerQueries.nextBounds, keys, state.moment, AvailabilityTimeline.most)
        let rows = try await session.rows(of: query, as: String.self, Timestamp.self, UUID.self)
        let passing = Dictionary(grouping: rows, by: \.0)
        let facts = try await rounds.facts(
            state.storefronts.map { ($0.storefront, Set((passing[$0.storefront.key] ?? []).map(\.2))) }, whenever: true)
        state.passages = Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let list = (passing[key] ?? []).map {
                    AvailabilityTimeline.AvailabilityChange(moment: $0.1, item: $0.2, facts: facts[key]?[$0.2])
                }
                return (key, AvailabilityTimeline(list: list))
            })
        state.feedPassages = [:]
    }

    private func touchesPassages(_ items: Set<UUID>) async throws -> Bool {
        if items.isEmpty { return false }
        if state.passages.values.contains(where: { $0.list.contains { items.contains($0.item) } }) { return true }
        return try await !session.rows(of: PostgresQuery(SequencerQueries.bounded, Array(items), state.moment), as: UUID.self).isEmpty
    }

    /// When the next item comes or goes that a feed shows or names, or that one of its rules matches; nil for none.
    mutating func nextPassage(in place: StorefrontFeed) -> Timestamp? {
        if dirty.places[place] == nil, let known = state.feedPassages[place] { return known }
        guard let passages = state.passages[place.storefront], let shown = state.shown[place],
            let document = state.document(of: shown.revision, place.feed),
            let shop = state.storefronts.first(where: { $0.storefront.key == place.storefront })
        else { return nil }
        let sections = document.sections(in: place.storefront)
        let named = Set(sections.flatMap(\.references).compactMap { state.references[$0] })
        let context = context(of: document, in: place, shop)
        let forms = sections.compactMap { $0.rule.flatMap(context.normalForm) }
        let next = passages.first { passage in
            named.contains(passage.item) || shown.sections.values.contains { $0.placements[passage.item] != nil }
                || passage.facts.map { facts in forms.contains { $0.matches(facts) } } ?? false
        }
        state.feedPassages[place] = .some(next)
        return next
    }
}
