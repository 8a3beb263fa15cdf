package import Feeds
internal import Items
internal import JSON
package import Layout
internal import Postgres
internal import Resolve
package import Values

extension PreviewComposer {
    /// Returns the review of publishing a document in all storefronts from a time, or from now.
    package func review(
        _ document: FeedDocument, from start: Timestamp? = nil, until end: Timestamp? = nil, on matrix: ScreenMatrix
    ) async throws -> [ReviewFinding] {
        let stage = try await stage(document, at: start)
        let period = stage.time..<max(stage.time, end ?? .latest)
        let keys = stage.storefronts.map(\.storefront.key)
        return try await review(document, stage, during: Dictionary(uniqueKeysWithValues: keys.map { ($0, period) }), on: matrix)
    }

    /// Returns the review of publishing a document with a span in each storefront. A storefront is composed at the start
    /// of its span.
    package func review(_ document: FeedDocument, spans: [ProposedSpan], on matrix: ScreenMatrix) async throws -> [ReviewFinding] {
        var merged: Stage?
        for (start, spans) in Dictionary(grouping: spans, by: \.from).sorted(by: { $0.key < $1.key }) {
            let stage = try await stage(document, at: start, in: spans.map(\.storefront))
            merged = merged?.merged(with: stage) ?? stage
        }
        let stage = if let merged { merged } else { try await stage(document, at: nil, in: []) }
        let periods = spans.map { ($0.storefront, $0.from..<max($0.from, $0.until ?? .latest)) }
        return try await review(document, stage, during: Dictionary(uniqueKeysWithValues: periods), on: matrix)
    }

    private func review(
        _ document: FeedDocument, _ stage: Stage, during periods: [String: Range<Timestamp>], on matrix: ScreenMatrix
    ) async throws -> [ReviewFinding] {
        let context = try await context(of: document, during: periods, on: stage)
        return PublicationReviewer(of: document, in: context, during: periods, on: matrix, hashedBy: hash).findings
    }

    private func context(
        of document: FeedDocument, during periods: [String: Range<Timestamp>], on stage: Stage
    ) async throws -> ReviewContext {
        var categories: Set<String> = []
        var cuisines: Set<String> = []
        var developers: Set<String> = []
        var tags: Set<String> = []
        var charts: Set<String> = []
        var feeds: Set<FeedKey> = []
        for reference in document.references {
            switch reference.subject {
            case .category(let key): categories.insert(key)
            case .cuisine(let key): cuisines.insert(key)
            case .developer(let name): developers.insert(name)
            case .tag(let slug): tags.insert(slug)
            case .chart(let name): charts.insert(name)
            case .feed(let key), .list(let key, _): feeds.insert(key)
            case .item, .platform, .storefront, .locale, .scheme, .experiment, .arm: continue
            }
        }
        let results = try await session.run([
            PostgresQuery(
                FeedQueries.words, categories.sorted(), cuisines.sorted(), charts.sorted(), developers.sorted(), tags.sorted()),
            PostgresQuery(FeedQueries.availability, Set(stage.references.values).sorted()),
            PostgresQuery(
                FeedQueries.openings, feeds.map(\.text).sorted(), periods.values.map(\.lowerBound).min() ?? stage.time,
                periods.values.map(\.upperBound).max() ?? .latest),
            PostgresQuery(FeedQueries.storefronts, stage.time),
        ])
        var context = ReviewContext()
        context.storefronts = try StorefrontDay.all(of: results[3]).map(\.storefront)
        for (kind, word) in try results[0].rows(as: String.self, String.self) {
            switch kind {
            case "category": context.categories.insert(word)
            case "cuisine": context.cuisines.insert(word)
            case "developer": context.developers.insert(word)
            case "tag": context.tags.insert(word)
            case "platform": context.platforms.insert(word)
            default:
                let parts = word.split(separator: "/", maxSplits: 1).map(String.init)
                if parts.count == 2 { context.charts[parts[0], default: []].insert(parts[1]) }
            }
        }
        let availability = try availability(in: results[1])
        context.items = stage.references.compactMapValues { availability[$0] }
        context.openings = try openings(in: results[2])
        context.actionSchemes = actionSchemes
        context.arms = stage.registry.experiments.mapValues { Set($0.arms.keys) }
        for storefront in stage.storefronts {
            let key = storefront.storefront.key
            context.live[key] = stage.outcomes[key]?.mapValues { ReviewContext.VisiblePart($0) }
            for section in document.sections(in: key) {
                let found = fewest(of: section, in: document, storefront.storefront, stage)
                // A section that retains its items is reported with what the rule finds.
                guard found < section.minItems, context.live[key]?[.shelf(section.key)]?.tooFew == nil else { continue }
                context.live[key]?[.shelf(section.key)]?.tooFew = found
            }
        }
        return context
    }

    /// Returns the smallest number of elements in a locale that a client of a storefront sees in a section with all of its
    /// pins. The section leaves out the items that a client sees above who states nothing else.
    private func fewest(of section: FeedSection, in document: FeedDocument, _ storefront: Storefront, _ stage: Stage) -> Int {
        let id = "\(document.key)/\(section.key)"
        let parts = stage.parts[storefront.key] ?? [:]
        let isByLocale = parts.values.contains { $0.orders.keys.contains { $0 != nil } }
        let counts = (isByLocale ? storefront.locales : [storefront.defaultLocale]).map { locale in
            document.edition(of: parts, in: locale, stage.registry).count(of: id, for: .nothingSaid(in: storefront.key, locale))
        }
        return counts.min() ?? 0
    }

    /// Returns the schedules of feeds. One that this program cannot read has no lists.
    private func openings(in result: PostgresResult) throws(PostgresError) -> [FeedKey: FeedOpenings] {
        var spans: [FeedKey: [FeedOpenings.Span]] = [:]
        let rows = try result.rows(as: String.self, String?.self, Timestamp?.self, Timestamp?.self, [String]?.self, String?.self)
        for (key, layer, from, until, storefronts, text) in rows {
            guard let key = FeedKey(key) else { continue }
            guard let layer = layer.flatMap(Publication.Layer.init), let from, let text else {
                spans[key] = spans[key] ?? []
                continue
            }
            var lists: [SectionKey: [String]] = [:]
            do throws(JSONError) { lists = FeedOpenings.lists(of: try FeedDocument(parsing: Array(text.utf8), limits: .feed)) } catch {}
            spans[key, default: []].append(
                .init(layer: layer, during: from..<max(from, until ?? .latest), in: storefronts, lists: lists))
        }
        return spans.mapValues(FeedOpenings.init)
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
        var tooFew: Int?
        if case .tooFew(let found, _)? = outcome.items?.retained { tooFew = found }
        let counts = outcome.items?.counts(upTo: outcome.task.selection.size).values
        self.init(items: counts?.max() ?? 0, tooFew: tooFew, ruleFailure: outcome.ruleFailure)
    }
}
