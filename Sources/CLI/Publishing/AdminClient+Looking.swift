internal import Feeds
internal import JSON
internal import Values

/// What is to be published, and where it is looked at beforehand.
struct PublishOptions: Sendable {
    let feed: FeedKey
    let revision: LoadedRevision
    let layer: Publication.Layer
    var from: Timestamp?
    var until: Timestamp?
    /// Empty for all.
    var storefronts: [String] = []
    let now: Timestamp
}

extension PublishOptions {
    /// Takeovers of its time, or what begins on the base at its moment.
    fileprivate func obstacles(in schedule: Schedule) -> [Publication] {
        switch layer {
        case .takeover: schedule.publications(on: .takeover, from: from ?? now, until: until)
        case .base: schedule.publications.filter { $0.layer == .base && $0.from == from }
        }
    }
}

extension AdminClient {
    /// Looks at what a publication would change; changes nothing.
    func look(at wish: PublishOptions, in schedule: Schedule) async throws -> ChangeSummary {
        let start = wish.from ?? wish.now
        let takeover = schedule.publication(on: .takeover, at: start)
        let before = wish.layer == .base ? schedule.publication(on: .base, at: start) : schedule.shown(at: start)
        var former: LoadedRevision?
        if let before { former = try await revision(before.revision, of: wish.feed) }
        let door = door
        async let findings = door.asking { server in
            try await server.findings(in: wish.revision.document, from: wish.from, until: wish.until)
        }
        let seen = try await seen(wish, former: former)
        return ChangeSummary(
            feed: wish.feed, former: former, revision: wish.revision, layer: wish.layer, from: wish.from, until: wish.until,
            takeover: wish.layer == .base ? takeover : nil, obstacles: wish.obstacles(in: schedule),
            seen: seen, findings: try await findings)
    }

    /// Storefronts that see the same happen together, the first of them in words.
    private func seen(_ wish: PublishOptions, former: LoadedRevision?) async throws -> [ChangeSummary.Seen] {
        var storefronts = wish.storefronts
        if storefronts.isEmpty { storefronts = try await self.storefronts().map(\.key) }
        var groups: [ChangeSummary.Seen] = []
        // Two requests at once, for a server with two processors.
        let size = max(1, min(Self.mostCompared, (storefronts.count + 1) / 2))
        for start in stride(from: 0, to: storefronts.count, by: 2 * size) {
            let (middle, end) = (min(start + size, storefronts.count), min(start + 2 * size, storefronts.count))
            let (door, later) = (door, Array(storefronts[middle..<end]))
            async let second = later.isEmpty ? [] : door.asking { try await $0.seen(in: later, wish, former: former) }
            for group in try await seen(in: Array(storefronts[start..<middle]), wish, former: former) + second {
                if let place = groups.firstIndex(where: { $0.difference.isAlike(group.difference) }) {
                    groups[place].storefronts += group.storefronts
                } else {
                    groups.append(group)
                }
            }
        }
        return groups
    }

    private func seen(
        in storefronts: [String], _ wish: PublishOptions, former: LoadedRevision?
    ) async throws -> [ChangeSummary.Seen] {
        let query: AdminClient.Query = [
            (name: "former", value: former.map { "\($0.number)" }), (name: "revision", value: "\(wish.revision.number)"),
            (name: "at", value: wish.from?.description), (name: "storefronts", value: storefronts.joined(separator: ",")),
        ]
        let groups = try await get("feeds/\(wish.feed):compare", query)["seen"]?.elements.map { $0 } ?? []
        return try groups.map { group in
            guard let group = ChangeSummary.Seen(group) else { throw Self.stranger }
            return group
        }
    }

    /// In one request: all rules of one share the time of its answer.
    private static let mostCompared = 5
}

extension ChangeSummary.Seen {
    fileprivate init?(_ answer: JSONNode) {
        guard let after = answer["after"].flatMap(Self.page) else { return nil }
        let before = answer["before"].flatMap(Self.page)
        self.init(
            storefronts: answer["storefronts"]?.elements.compactMap(\.string) ?? [],
            difference: PageComparison(from: before, to: after), before: before, after: after)
    }

    /// Its text is a document of its own, as layouts are read from bytes.
    private static func page(_ node: JSONNode) -> ClientPage? {
        do throws(JSONError) {
            return ClientPage(try JSONDocument(parsing: Array(node.document.source[node.range]), limits: .ownOutput))
        } catch { return nil }
    }
}
