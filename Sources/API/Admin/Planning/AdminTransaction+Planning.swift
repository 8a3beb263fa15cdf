internal import Catalog
internal import Feeds
internal import HTTP
internal import Items
internal import JSON
internal import Publishing
internal import Security

extension AdminTransaction {
    /// How the shop is to be arranged, from the body of the request.
    func shopFiles() throws(Problem) -> PlanRequest {
        do throws(JSONError) { return try PlanRequest(parsing: context.request.body, limits: .shopFiles) } catch { throw Problem(error) }
    }

    /// What is to be done for that, without reviews.
    func plan(of wanted: PlanRequest) async throws -> Plan {
        let layers = try await feeds.layers()
        let named = Dictionary(grouping: wanted.files, by: \.document.key)
        var present: [FeedKey: ExistingFeed] = [:]
        for summary in try await feeds.feeds() {
            guard let feed = FeedKey(summary.key), wanted.prunes || named[feed] != nil else { continue }
            var drafts: [LineKey: ExistingFeed.Saved] = [:]
            for line in named[feed]?.map(\.line) ?? [.main] {
                drafts[line] = try await draft(of: feed, on: line).map { .init(number: $0.revision.number, bytes: $0.document) }
            }
            var base: ExistingFeed.Saved?
            var takeover: ExistingFeed.Shown?
            for publication in layers[summary.key] ?? [] {
                let number = publication.revision
                let saved = ExistingFeed.Saved(number: number, bytes: try await feeds.revision(number, of: feed).document)
                if publication.layer == .base { base = saved } else { takeover = .init(publication, saved) }
            }
            present[feed] = ExistingFeed(isArchived: summary.archivedAt != nil, drafts: drafts, base: base, takeover: takeover)
        }
        let storefronts = try await catalog.storefronts().map(\.key)
        return Plan(wanted, present: present, storefronts: storefronts)
    }

    /// Reviews what would be shown, then what would be saved, for about as long as a client waits; the rest is told as not reviewed.
    func review(_ plan: Plan) async throws -> Plan {
        let end = ContinuousClock.now + service.timeForPlans
        var plan = plan
        let places =
            plan.changes.indices.filter { plan.changes[$0].publishes } + plan.changes.indices.filter { !plan.changes[$0].publishes }
        for place in places where !plan.changes[place].isNothing && ContinuousClock.now < end {
            let change = plan.changes[place]
            guard let document = change.file?.document else { continue }
            plan.changes[place].findings = try await previewComposer.review(document, on: service.screens)
        }
        return plan
    }
}

extension Plan {
    /// Named by what it was made of and does, so that what a review says may change meanwhile.
    var state: TaggedResource {
        get throws(JSONError) { try TaggedResource(tag: Digest.tag(of: identity), self) }
    }
}

extension JSONLimits {
    static let shopFiles = JSONLimits(bytes: 4 << 20, depth: 40)
}
