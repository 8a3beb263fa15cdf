internal import Feeds
internal import JSON
internal import Time

/// What is to be published, and where it is looked at beforehand.
struct PublicationWish: Sendable {
    let feed: FeedKey
    let revision: ReadRevision
    let layer: Publication.Layer
    var from: Timestamp?
    var until: Timestamp?
    /// Empty for all.
    var storefronts: [String] = []
    let now: Timestamp
}

extension PublicationWish {
    /// Takeovers of its time, or what begins on the base at its moment.
    fileprivate func obstacles(in schedule: Schedule) -> [Publication] {
        switch layer {
        case .takeover: schedule.publications(on: .takeover, from: from ?? now, until: until)
        case .base: schedule.publications.filter { $0.layer == .base && $0.from == from }
        }
    }
}

extension RemoteServer {
    /// Looks at what a publication would change; changes nothing.
    func look(at wish: PublicationWish, in schedule: Schedule) async throws -> PublicationLook {
        let start = wish.from ?? wish.now
        let takeover = schedule.publication(on: .takeover, at: start)
        let before = wish.layer == .base ? schedule.publication(on: .base, at: start) : schedule.shown(at: start)
        var former: ReadRevision?
        if let before { former = try await revision(before.revision, of: wish.feed) }
        return PublicationLook(
            feed: wish.feed, former: former, revision: wish.revision, layer: wish.layer, from: wish.from, until: wish.until,
            takeover: wish.layer == .base ? takeover : nil, obstacles: wish.obstacles(in: schedule),
            seen: try await seen(wish, former: former),
            findings: try await findings(in: wish.revision.document, from: wish.from, until: wish.until))
    }

    /// Storefronts that see the same happen together, the first of them in words.
    private func seen(_ wish: PublicationWish, former: ReadRevision?) async throws -> [PublicationLook.Seen] {
        var storefronts = wish.storefronts
        if storefronts.isEmpty { storefronts = try await self.storefronts().map(\.key) }
        var groups: [PublicationLook.Seen] = []
        for storefront in storefronts {
            var before: SeenPage?
            if let former { before = try await page(former.number, wish, storefront) }
            let after = try await page(wish.revision.number, wish, storefront)
            let difference = PageDifference(from: before, to: after)
            if let place = groups.firstIndex(where: { $0.difference.isAlike(difference) }) {
                groups[place].storefronts.append(storefront)
            } else {
                groups.append(.init(storefronts: [storefront], difference: difference, before: before, after: after))
            }
        }
        return groups
    }

    private func page(_ revision: Int, _ wish: PublicationWish, _ storefront: String) async throws -> SeenPage {
        let query: RemoteServer.Query = [
            (name: "storefront", value: storefront), (name: "revision", value: "\(revision)"), (name: "at", value: wish.from?.description),
        ]
        return SeenPage(try await page(of: wish.feed, query).document)
    }
}
