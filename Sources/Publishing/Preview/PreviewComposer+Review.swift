package import Feeds
internal import Items
internal import JSON
package import Layout
internal import Postgres
internal import Resolve
package import Values

extension PreviewComposer {
    /// Returns the review of publishing a document in all storefronts from a time, or from now. The planned documents are
    /// saved with it, so their feeds exist.
    package func review(
        _ document: FeedDocument, from start: Timestamp? = nil, until end: Timestamp? = nil, alongside planned: [FeedDocument] = [],
        on matrix: ScreenMatrix
    ) async throws -> [ReviewFinding] {
        let stage = try await stage(document, at: start)
        let period = stage.time..<max(stage.time, end ?? .latest)
        let keys = stage.storefronts.map(\.storefront.key)
        return try await review(
            document, stage, during: Dictionary(uniqueKeysWithValues: keys.map { ($0, period) }), alongside: planned, on: matrix)
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
        _ document: FeedDocument, _ stage: Stage, during periods: [String: Range<Timestamp>], alongside planned: [FeedDocument] = [],
        on matrix: ScreenMatrix
    ) async throws -> [ReviewFinding] {
        var context = try await context(of: document, during: periods, on: stage)
        for other in planned {
            context.openings[other.key] = (context.openings[other.key] ?? FeedOpenings([])).saving(other)
        }
        for (start, sections) in Self.laterStarts(of: document, during: periods, on: stage) {
            let keys = document.required(for: sections.values.reduce(into: []) { $0.formUnion($1) })
            let later = try await self.stage(document, at: start, in: sections.keys.sorted(), only: keys)
            for day in later.storefronts {
                let key = day.storefront.key
                let live = live(document, sections[key] ?? [], in: day.storefront, on: later)
                context.live[key, default: [:]].merge(live) { $1 }
            }
        }
        return PublicationReviewer(of: document, in: context, during: periods, on: matrix, hashedBy: hash).findings
    }

    /// Returns the sections that start to exist after the publication has started, by their start and storefront.
    private static func laterStarts(
        of document: FeedDocument, during periods: [String: Range<Timestamp>], on stage: Stage
    ) -> [(start: Timestamp, sections: [String: Set<SectionKey>])] {
        var starts: [Timestamp: [String: Set<SectionKey>]] = [:]
        for day in stage.storefronts {
            let key = day.storefront.key
            guard let publication = periods[key] else { continue }
            for section in document.sections(in: key) {
                guard let span = section.during?.span(by: day.clock), !span.isEmpty, span.lowerBound > publication.lowerBound,
                    publication.contains(span.lowerBound)
                else { continue }
                starts[span.lowerBound, default: [:]][key, default: []].insert(section.key)
            }
        }
        return starts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
            case .item, .platform, .servedPlatform, .storefront, .locale, .scheme, .experiment, .arm: continue
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
        var times = document.wallClocks
        context.openings = try openings(in: results[2], &times)
        var days = try StorefrontDay.all(of: results[3])
        try LocalClocks(times, of: try await session.run([LocalClocks.query(times)])[0]).set(in: &days)
        for day in days { context.clocks[day.storefront.key] = day.clock }
        context.actionSchemes = actionSchemes
        context.arms = stage.registry.experiments.mapValues { Set($0.arms.keys) }
        for storefront in stage.storefronts {
            let key = storefront.storefront.key
            let sections = Set(document.sections(on: storefront, at: periods[key]?.lowerBound ?? stage.time).map(\.key))
            context.live[key] = live(document, sections, in: storefront.storefront, on: stage)
        }
        context.servedPlatforms = stage.platforms.served
        context.itemPlatforms = itemPlatforms(on: stage)
        return context
    }

    /// Returns the composed parts of some sections.
    private func live(
        _ document: FeedDocument, _ sections: Set<SectionKey>, in storefront: Storefront, on stage: Stage
    ) -> [SectionPart: ReviewContext.VisiblePart] {
        var live: [SectionPart: ReviewContext.VisiblePart] = [:]
        for (part, outcome) in stage.outcomes[storefront.key] ?? [:] where sections.contains(part.section) {
            live[part] = ReviewContext.VisiblePart(outcome)
        }
        let ofRules = live.compactMapValues(\.tooFew)
        let platforms = [nil] + stage.platforms.served
        let counts = document.elementCounts(of: stage.parts[storefront.key] ?? [:], in: storefront, on: platforms, stage.registry)
        for (platform, counts) in zip(platforms, counts) {
            for section in document.sections where sections.contains(section.key) {
                let part = SectionPart.shelf(section.key)
                guard var found = counts[section.key] else { continue }
                // A section that retains its items is reported with what the rule finds, which is too little for all clients.
                if let ofRule = ofRules[part] { found = min(found, ofRule) }
                guard found < section.minItems else { continue }
                if let platform { live[part]?.tooFewOn[platform] = found } else { live[part]?.tooFew = found }
            }
        }
        return live
    }

    /// Returns the platforms whose clients run each item that the document names and that does not run on all of them.
    private func itemPlatforms(on stage: Stage) -> [ItemReference: Set<String>] {
        let known = stage.outcomes.values.flatMap { $0.values.compactMap { $0.inputs?.known } }
        return stage.references.compactMapValues { item in
            known.lazy.compactMap { $0[item] }.first.flatMap(stage.platforms.platforms)
        }
    }

    /// Returns the schedules of feeds, and adds the wall-clock times of their documents. One that this program cannot read has
    /// no lists.
    private func openings(
        in result: PostgresResult, _ times: inout Set<PlannedTime>
    ) throws(PostgresError) -> [FeedKey: FeedOpenings] {
        var spans: [FeedKey: [FeedOpenings.Span]] = [:]
        var drafts: [FeedKey: FeedDocument.Kind] = [:]
        let rows = try result.rows(
            as: String.self, String?.self, Timestamp?.self, Timestamp?.self, [String]?.self, String?.self, String?.self)
        for (key, layer, from, until, storefronts, text, draftKind) in rows {
            guard let key = FeedKey(key) else { continue }
            drafts[key] = draftKind.flatMap { FeedDocument.Kind(rawValue: $0) }
            guard let layer = layer.flatMap(Publication.Layer.init), let from, let text else {
                spans[key] = spans[key] ?? []
                continue
            }
            var lists: [SectionKey: [String]] = [:]
            var periods: [SectionKey: SectionPeriod] = [:]
            var kind: FeedDocument.Kind?
            do throws(JSONError) {
                let document = try FeedDocument(parsing: Array(text.utf8), limits: .feed)
                (lists, kind) = (FeedOpenings.lists(of: document), document.kind)
                periods = FeedOpenings.periods(of: document)
                times.formUnion(document.wallClocks)
            } catch {}
            let during = from..<max(from, until ?? .latest)
            spans[key, default: []].append(
                .init(layer: layer, during: during, in: storefronts, lists: lists, periods: periods, kind: kind))
        }
        return Dictionary(uniqueKeysWithValues: spans.map { ($0.key, FeedOpenings($0.value, draftKind: drafts[$0.key])) })
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
