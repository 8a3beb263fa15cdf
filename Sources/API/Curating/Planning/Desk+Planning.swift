internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security

extension Desk {
    /// How the shop is to be arranged, from the body of the request.
    func shopFiles() throws(Problem) -> ShopFiles {
        do throws(JSONError) { return try ShopFiles(parsing: call.call.request.body, limits: .shopFiles) } catch { throw Problem(error) }
    }

    /// What is to be done for that, without reviews.
    func plan(of wanted: ShopFiles) async throws -> ShopPlan {
        let bases = try await store.bases()
        let named = Dictionary(grouping: wanted.files, by: \.document.key)
        var present: [FeedKey: PresentFeed] = [:]
        for summary in try await store.feeds() {
            guard let feed = FeedKey(summary.key), wanted.prunes || named[feed] != nil else { continue }
            var drafts: [LineKey: PresentFeed.Saved] = [:]
            for line in named[feed]?.map(\.line) ?? [.main] {
                drafts[line] = try await draft(of: feed, on: line).map { .init(number: $0.revision.number, bytes: $0.document) }
            }
            var base: PresentFeed.Saved?
            if let number = bases[summary.key] {
                base = .init(number: number, bytes: try await store.revision(number, of: feed).document)
            }
            present[feed] = PresentFeed(isArchived: summary.archivedAt != nil, drafts: drafts, base: base)
        }
        let storefronts = try await reader().storefronts().map(\.key)
        return ShopPlan(wanted, present: present, storefronts: storefronts)
    }

    /// Reviews what would be saved or shown, for about as long as a client waits; of the rest it is not said what a review finds.
    func review(_ plan: ShopPlan) async throws -> ShopPlan {
        let end = ContinuousClock.now + .seconds(4)
        var plan = plan
        for (place, change) in plan.changes.enumerated() where !change.isNothing && ContinuousClock.now < end {
            guard let document = change.file?.document else { continue }
            plan.changes[place].findings = try await rehearsal().review(document, on: call.service.screens)
        }
        return plan
    }
}

extension ShopPlan {
    /// Named by what it was made of and does, so that what a review says may change meanwhile.
    var state: AdminState {
        get throws(JSONError) { try AdminState(tag: Digest.tag(of: identity), self) }
    }
}

extension JSONLimits {
    static let shopFiles = JSONLimits(bytes: 4 << 20, depth: 40)
}
