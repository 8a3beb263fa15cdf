package import Feeds
internal import Items
package import Layout
internal import Postgres
package import Values

extension PreviewComposer {
    /// Returns the review of publishing a document from a time, or from now.
    package func review(
        _ document: FeedDocument, from start: Timestamp? = nil, until end: Timestamp? = nil, on matrix: ScreenMatrix
    ) async throws -> [ReviewFinding] {
        let stage = try await stage(document, at: start)
        let context = try await context(of: document, on: stage)
        let period = stage.time..<max(stage.time, end ?? .latest)
        return PublicationReviewer(of: document, in: context, during: period, on: matrix, hashedBy: hash).findings
    }

    private func context(of document: FeedDocument, on stage: Stage) async throws -> ReviewContext {
        var categories: Set<String> = []
        var cuisines: Set<String> = []
        var charts: Set<String> = []
        for reference in document.references {
            switch reference.subject {
            case .category(let key): categories.insert(key)
            case .cuisine(let key): cuisines.insert(key)
            case .chart(let name): charts.insert(name)
            case .item, .storefront, .locale: continue
            }
        }
        let results = try await session.run([
            PostgresQuery(FeedQueries.words, categories.sorted(), cuisines.sorted(), charts.sorted()),
            PostgresQuery(FeedQueries.availability, Set(stage.references.values).sorted()),
        ])
        var context = ReviewContext()
        context.storefronts = stage.storefronts.map(\.storefront)
        for (kind, word) in try results[0].rows(as: String.self, String.self) {
            switch kind {
            case "category": context.categories.insert(word)
            case "cuisine": context.cuisines.insert(word)
            default:
                let parts = word.split(separator: "/", maxSplits: 1).map(String.init)
                if parts.count == 2 { context.charts[parts[0], default: []].insert(parts[1]) }
            }
        }
        let availability = try availability(in: results[1])
        context.items = stage.references.compactMapValues { availability[$0] }
        for storefront in stage.storefronts {
            let key = storefront.storefront.key
            context.live[key] = stage.outcomes[key]?.mapValues { ReviewContext.VisiblePart($0) }
        }
        return context
    }

    private func availability(in result: PostgresResult) throws(PostgresError) -> [UUID: ReviewContext.Availability] {
        var availability: [UUID: ReviewContext.Availability] = [:]
        let rows = try result.rows(as: UUID.self, Bool.self, String?.self, Timestamp?.self, Timestamp?.self)
        for (id, isEverywhere, storefront, from, until) in rows {
            guard !isEverywhere else {
                availability[id] = .everywhere
                continue
            }
            var times: [String: [Range<Timestamp>]] = [:]
            if case .at(let some)? = availability[id] { times = some }
            let (from, until) = (from ?? .earliest, until ?? .latest)
            if let storefront, from < until { times[storefront, default: []].append(from..<until) }
            availability[id] = .at(times)
        }
        return availability
    }
}

extension ReviewContext.VisiblePart {
    init(_ outcome: SectionBatchComposer.Outcome) {
        let counts = outcome.items?.orders.values.map(\.count) ?? []
        var tooFew: Int?
        if case .tooFew(let found, _)? = outcome.items?.retained { tooFew = found }
        self.init(items: counts.min() ?? 0, tooFew: tooFew, ruleFailure: outcome.ruleFailure)
    }
}
