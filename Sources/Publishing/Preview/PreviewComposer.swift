package import Artwork
internal import Feeds
internal import Items
package import Layout
package import Postgres
internal import Values

/// Composes a document as the sequencer would, at any moment, and writes nothing. The catalog is as it is now; what comes and goes by the
/// clock is as it will be then.
package struct PreviewComposer {
    let ruleTime: Duration
    let timeForRules: Duration
    let timeForAbsent: Duration
    let placeholder: (Artwork) -> Placeholder
    let hash: LayoutHash
    let session: PostgresSession

    /// One rule may take as long as in a drain; all of them together longer, as nobody waits for the head meanwhile. To look in all sections for
    /// what is absent takes no longer than `timeForAbsent`. `run` answers with a
    /// result for each query, all of one round trip, in a transaction that the caller has opened: one that only reads, at
    /// one snapshot, is enough.
    package init(
        ruleTime: Duration = .seconds(1), timeForRules: Duration = .seconds(30),
        timeForAbsent: Duration = .milliseconds(500), placeholder: @escaping (Artwork) -> Placeholder = { $0.placeholder },
        hashedBy hash: @escaping LayoutHash, _ session: PostgresSession
    ) {
        self.ruleTime = ruleTime
        self.timeForRules = timeForRules
        self.timeForAbsent = timeForAbsent
        self.placeholder = placeholder
        self.hash = hash
        self.session = session
    }

    /// A document on the stage of one moment, in the storefronts that were asked for.
    struct Stage {
        let moment: Timestamp
        let storefronts: [StorefrontDay]
        let references: [ItemReference: UUID]
        /// By storefront and section.
        var sections: [String: [SectionKey: ComposedSection]] = [:]
        var answers: [String: [SectionKey: SectionBatchComposer.Answer]] = [:]
    }

    /// Nil is now, and all storefronts. A section whose rule finds too little keeps what it had before in its storefront.
    func stage(
        _ document: FeedDocument, at wanted: Timestamp?, in wantedStorefronts: [String]? = nil,
        keeping before: [String: [SectionKey: ComposedSection]] = [:], surplus: Int = 0
    ) async throws -> Stage {
        var slugs: [(kind: ItemKind, slug: String)] = []
        var references: [ItemReference: UUID] = [:]
        for reference in Set(document.sections.flatMap(\.references)) {
            switch reference {
            case .id(let id): references[reference] = id
            case .slug(let kind, let slug): slugs.append((kind, slug))
            }
        }
        let results = try await session.run([
            PostgresQuery(FeedQueries.moment, wanted), PostgresQuery(FeedQueries.storefronts, wanted),
            PostgresQuery(SequencerQueries.references, slugs.map(\.kind.rawValue), slugs.map(\.slug)),
        ])
        guard let moment = try results[0].rows(as: Timestamp.self).first else {
            throw PostgresError(.undecodable, "the clock does not answer", query: FeedQueries.moment.name.description)
        }
        for (kind, slug, id) in try results[2].rows(as: String.self, String.self, UUID.self) {
            if let kind = ItemKind(rawValue: kind) { references[.slug(kind, slug)] = id }
        }
        let storefronts = try StorefrontDay.all(of: results[1]).filter { wantedStorefronts?.contains($0.storefront.key) ?? true }
        var stage = Stage(moment: moment, storefronts: storefronts, references: references)
        let tasks = storefronts.enumerated().flatMap { place, shop in
            document.sections(in: shop.storefront.key).map {
                SectionBatchComposer.Task(feed: place, section: $0, shop: shop, previous: before[shop.storefront.key]?[$0.key])
            }
        }
        let rounds = SectionBatchComposer(
            ruleTime: ruleTime, moment: moment, references: references, surplus: surplus, timeForRules: timeForRules,
            session: session)
        var sections: [[SectionKey: ComposedSection]] = Array(repeating: [:], count: storefronts.count)
        for answer in try await rounds.compose(tasks, into: &sections) {
            stage.answers[answer.task.shop.storefront.key, default: [:]][answer.task.section.key] = answer
        }
        for (shop, sections) in zip(storefronts, sections) { stage.sections[shop.storefront.key] = sections }
        return stage
    }
}
