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
        let contexts = try await contexts(of: request.storefronts)
        let (number, layer) = try await revision(for: request, of: feed)
        var (from, until): (Timestamp?, Timestamp?) = (nil, nil)
        if case .publish(let proposal) = request.action { (from, until) = (proposal.from, proposal.until) }
        let now = try await feeds.now()
        if let from, from < now { throw FeedStoreError.startInPast }
        let start = from ?? now
        if let until, until <= start { throw FeedStoreError.invalidEnd }
        let schedule = Schedule(try await feeds.present(of: feed))
        let visible = layer == .base ? schedule.publication(on: .base, at: start) : schedule.live(at: start)
        let document = try await stored(number, of: feed)
        var previous: (number: Int, document: FeedDocument)?
        if let visible { previous = (visible.revision, try await stored(visible.revision, of: feed)) }
        var plan = PublicationPlan(
            of: (number, document), on: layer, from: from, until: until, after: previous, in: schedule, start: start,
            archivedAt: summary.archivedAt)
        plan.findings = try await previewComposer.review(document, from: from, until: until, on: service.screens)
        let screen = (service.screens["iphone"] ?? service.screens.screens[0]).environment
        var time = ComparisonTime(service, context.deadline)
        var rest = contexts[...]
        var items: [UUID: Item] = [:]
        while !rest.isEmpty, let share = time.nextStep(stages: previous.map { $0.number == number } ?? true ? 1 : 2) {
            let contexts = Array(rest.prefix(service.comparedTogether))
            rest = rest.dropFirst(service.comparedTogether)
            let after = try await pages(of: document, number, at: from, for: contexts, with: &items, within: share)
            var before: [String: ClientPage] = [:]
            if let previous {
                before =
                    previous.number == number
                    ? after : try await pages(of: previous.document, previous.number, at: from, for: contexts, with: &items, within: share)
            }
            for storefront in contexts.map(\.storefront.key) {
                if let page = after[storefront] { plan.compare(storefront, from: before[storefront], to: page, on: screen) }
            }
        }
        plan.notCompared = rest.map(\.storefront.key)
        return plan
    }

    private func revision(for request: PublicationPlanRequest, of feed: FeedKey) async throws -> (number: Int, layer: Publication.Layer) {
        switch request.action {
        case .rollback(let rollback):
            if let number = rollback.revision { return (number, .base) }
            guard let number = try await feeds.revisionShownBefore(feed) else { throw FeedStoreError.noPreviousRevision(feed) }
            return (number, .base)
        case .publish(let proposal):
            let revision =
                if let number = proposal.revision {
                    try await self.revision(number, of: feed).revision
                } else { try await knownDraft(of: feed, on: proposal.line).revision }
            let isTakeover = proposal.until != nil || revision.line != LineKey.main.text
            return (revision.number, proposal.layer ?? (isTakeover ? .takeover : .base))
        }
    }

    /// Returns the contexts of the named storefronts, or of all storefronts if the list is empty. Each is in its
    /// default locale.
    private func contexts(of requested: [String]) async throws -> [PageContext] {
        let known = try await catalog.storefronts()
        let client = ClientContext(context.head.fields, service.screens)
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
