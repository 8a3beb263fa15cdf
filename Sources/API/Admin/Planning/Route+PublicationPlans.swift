internal import Access
internal import Catalog
internal import EventLoop
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Layout
internal import Publishing
internal import Values

extension Route {
    static func publicationPlans(_ service: AdminService) -> [Route] {
        [
            admin(.post, "/admin/v1/feeds/{feed}:plan", .read, bodyLimit: .standard, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let feed = try request.feed()
                return try await request.reading { transaction in
                    let planRequest: PublicationPlanRequest
                    do throws(JSONError) { planRequest = try PublicationPlanRequest(parsing: request.context.request.body) } catch {
                        throw Problem(error)
                    }
                    let tag = try await planRequest.isRollback ? transaction.state(of: feed).tag : transaction.schedule(of: feed).tag
                    let plan = try await transaction.plan(planRequest, of: feed)
                    return AdminResponse(.ok, try plan.json(), tag: tag).response
                }
            }
        ]
    }
}

extension AdminTransaction {
    fileprivate func plan(_ request: PublicationPlanRequest, of feed: FeedKey) async throws -> PublicationPlan {
        guard let summary = try await feeds.feeds().first(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
        let (layer, starts) = try await starts(of: request, for: feed)
        var order: PublicationOrder?
        if case .publish(let proposal) = request.action { order = proposal.order }
        var documents: [Int: FeedDocument] = [:]
        for start in starts where !start.span.isEmpty {
            for number in [start.revision, start.previous].compactMap(\.self) where documents[number] == nil {
                documents[number] = try await stored(number, of: feed)
            }
        }
        var plan = PublicationPlan(
            of: feed, on: layer, order: order, archivedAt: summary.archivedAt, starts: starts, documents: documents)
        for number in plan.revisions {
            guard let document = documents[number] else { continue }
            let spans = starts.filter { $0.revision == number && !$0.span.isEmpty }.map(\.span)
            plan.findings += try await previewComposer.review(document, spans: spans, on: service.screens)
        }
        plan.findings += ReviewFinding.findings(about: starts.map(\.span), order)
        try await compare(&plan, documents, request.compared)
        return plan
    }

    /// Adds the page changes to a plan, for storefronts with the same start together, until the time is over.
    private func compare(_ plan: inout PublicationPlan, _ documents: [Int: FeedDocument], _ requested: [String]) async throws {
        let screen = (service.screens["iphone"] ?? service.screens.screens[0]).environment
        let contexts = try await contexts(of: requested)
        var time = ComparisonTime(service, context.deadline)
        var items: [UUID: Item] = [:]
        for start in plan.starts {
            guard let document = documents[start.revision] else { continue }
            let previous = start.previous.flatMap { number in documents[number].map { (number: number, document: $0) } }
            var rest = contexts.filter { start.storefronts.contains($0.storefront.key) }[...]
            while !rest.isEmpty, let share = time.nextStep(stages: previous.map { $0.number == start.revision } ?? true ? 1 : 2) {
                let contexts = Array(rest.prefix(service.comparedTogether))
                rest = rest.dropFirst(service.comparedTogether)
                let after = try await pages(of: document, start.revision, at: start.from, for: contexts, with: &items, within: share)
                var before: [String: ClientPage] = [:]
                if let previous {
                    before =
                        previous.number == start.revision
                        ? after
                        : try await pages(
                            of: previous.document, previous.number, at: start.from, for: contexts, with: &items, within: share)
                }
                for storefront in contexts.map(\.storefront.key) {
                    if let page = after[storefront] { plan.compare(storefront, from: before[storefront], to: page, on: screen) }
                }
            }
            plan.notCompared += rest.map(\.storefront.key)
        }
    }

    /// Returns what a publication or a rollback would mean in each storefront.
    private func starts(
        of request: PublicationPlanRequest, for feed: FeedKey
    ) async throws -> (layer: Publication.Layer, starts: [PlannedStart]) {
        let publications = try await feeds.present(of: feed)
        func starts(of revision: Int, on layer: Publication.Layer, _ order: PublicationOrder) async throws -> [PlannedStart] {
            try await feeds.checkTimes(of: order)
            let spans = try await feeds.proposedSpans(of: feed, on: layer, order)
            if !spans.isEmpty, spans.allSatisfy(\.isEmpty) { throw FeedStoreError.invalidEnd }
            return spans.map {
                PlannedStart(
                    $0, of: revision, on: layer, isNow: order.from == nil, in: Schedule(publications, in: $0.storefront), publications)
            }
        }
        switch request.action {
        case .rollback(let rollback):
            var all: [PlannedStart] = []
            for (revision, storefronts) in try await feeds.rollbackTargets(of: feed, rollback, at: try await feeds.now()) {
                all += try await starts(of: revision, on: .base, PublicationOrder(storefronts: storefronts, replacesLocal: true))
            }
            return (.base, all)
        case .publish(let proposal):
            let revision =
                if let number = proposal.revision {
                    try await self.revision(number, of: feed).revision
                } else { try await knownDraft(of: feed, on: proposal.line).revision }
            let isTakeover = proposal.order.until != nil || revision.line != LineKey.main.text
            let layer = proposal.layer ?? (isTakeover ? .takeover : .base)
            return (layer, try await starts(of: revision.number, on: layer, proposal.order))
        }
    }

    /// Returns the contexts of the named storefronts, or of all storefronts if the list is empty. Each is in its
    /// default locale.
    private func contexts(of requested: [String]) async throws -> [PageContext] {
        let known = try await catalog.storefronts()
        let client = ClientContext(context.head.fields, service.screens, platforms: try await catalog.platforms())
        return try (requested.isEmpty ? known.map(\.key) : requested).map { key in
            guard let storefront = known.first(where: { $0.key == key }) else { throw Problem.unknownStorefront }
            return PageContext(
                storefront, LocaleFallback(storefront.defaultLocale, in: storefront), client.facts, capabilities: client.capabilities,
                screen: client.screen)
        }
    }

    private func pages(
        of document: FeedDocument, _ revision: Int, at time: Timestamp?, for contexts: [PageContext], with items: inout [UUID: Item],
        within timeForRules: Duration
    ) async throws -> [String: ClientPage] {
        var composer = previewComposer
        composer.timeForRules = timeForRules
        return try await composer.pages(of: document, revision: revision, at: time, for: contexts, with: &items)
            .mapValues { ClientPage(try JSONDocument(parsing: $0, limits: .ownOutput)) }
    }
}

/// The time that a plan has to compare pages: steps begin while they are likely to end before the deadline of the request.
private struct ComparisonTime {
    private let end: Deadline
    private let latest: Deadline
    private let timeForRules: Duration
    private var start: Deadline?
    private var longest = Duration.zero

    init(_ service: AdminService, _ deadline: Deadline) {
        // The rest is for reading documents and for sending the plan.
        latest = deadline.advanced(by: service.timeout / -10)
        end = min(latest, .after(service.timeForComparisons))
        timeForRules = service.timeForRules
    }

    /// Returns the time for the rules of each stage of the next step; nil if no further step fits. The first step fits
    /// unless the request has no time left.
    mutating func nextStep(stages: Int) -> Duration? {
        let now = Deadline.now
        if let start {
            longest = max(longest, now.duration(since: start))
            guard now.advanced(by: longest) < end else { return nil }
        }
        guard now < latest else { return nil }
        start = now
        return min(timeForRules, latest.remaining / stages)
    }
}
