import Foundation

/// A local copy of one storefront in one locale, read through the sync API: the published sections with their targets
/// and placements. It composes the page of one client directly.
struct NaiveCopy: Sendable {
    fileprivate struct Placement: Sendable {
        let id: String
        /// The ID of the item, or nil if it is a card.
        let item: String?
        let initial: String
        /// The slot of a pin, and the target of the clients that see it.
        let slot: Int?
        let target: NaiveTarget?
        /// The order among the candidates on each platform, or under nil on all of them. Empty if it is only pinned.
        let orders: [String?: String]
        /// The platforms of clients that see it, or nil if all clients do.
        let platforms: [String]?

        func order(on platform: String?) -> String? { orders[nil] ?? orders[.some(platform ?? "*")] }

        func isSeen(on platform: String?) -> Bool { platform.flatMap { platforms?.contains($0) } ?? true }
    }

    fileprivate struct Section: Sendable {
        let id: String
        let target: NaiveTarget?
        let layouts: NaiveLayouts
        /// The layouts of the list that "See All" opens, or nil if the section has no button for it.
        let list: NaiveLayouts?
        let size: Int
        let minItems: Int
        let without: [String]
        let isGrouped: Bool
        let pins: [Placement]
        let candidates: [Placement]
    }

    private let feeds: [String: [Section]]
    /// The experiments by feed.
    private let experiments: [String: NaiveExperiments]
    /// The titles of the items by their IDs.
    let titles: [String: String]

    init(of storefront: TrialFeeds.Storefront, in locale: String, from origin: PageConnection) throws {
        let path = "/v1/\(storefront.key)/sync?feeds=\(storefront.feeds.sorted().joined(separator: ","))&limit=1000&locale=\(locale)"
        var data: [String: [(id: String, data: [String: Any])]] = [:]
        for change in try Self.changes(path, from: origin) {
            guard let kind = change["kind"] as? String, let id = change["id"] as? String, let value = change["data"] as? [String: Any]
            else {
                throw BenchmarkFailure(reason: "an unexpected change: \(change)")
            }
            data[kind, default: []].append((id, value))
        }
        var titles: [String: String] = [:]
        for item in data["item"] ?? [] { titles[item.id] = item.data["title"] as? String }
        let placements = Dictionary(grouping: data["placement"] ?? []) { $0.data["section"] as? String ?? "" }
        var sections: [String: Section] = [:]
        for section in data["section"] ?? [] {
            let known = (placements[section.id] ?? []).map { Placement($0.id, $0.data) }
                .filter { $0.item.map { titles[$0] != nil } ?? true }
            sections[section.id] = Section(section.id, section.data, known)
        }
        feeds = try (data["feed"] ?? []).reduce(into: [:]) { feeds, feed in
            feeds[feed.data["feed"] as? String ?? ""] = try (feed.data["sections"] as? [String] ?? []).map { id in
                guard let section = sections[id] else { throw BenchmarkFailure(reason: "the copy has no section \(id)") }
                return section
            }
        }
        experiments = (data["feed"] ?? []).reduce(into: [:]) { $0[$1.data["feed"] as? String ?? ""] = NaiveExperiments($1.data) }
        self.titles = titles
    }

    /// Returns the page of a client: from the first section to the last, the pins for the client at their slots, and between
    /// them the candidates that the client does not see elsewhere.
    func shelves(for client: TrialClient) -> [Shelf] {
        var shelves: [Shelf] = []
        var shown: [String: [String]] = [:]
        let experiments = experiments[client.feed] ?? NaiveExperiments([:])
        for section in feeds[client.feed] ?? [] where section.target?.includes(client, experiments) ?? true {
            let above = Set(section.without.flatMap { shown[$0] ?? [] })
            let placements = section.placements(for: client, experiments, without: above)
            guard placements.count >= max(section.minItems, 1) else { continue }
            shown[section.id] = placements.compactMap(\.item)
            shelves += section.shelves(placements, on: client.display)
        }
        return shelves
    }

    /// Returns all changes since the beginning of the copy.
    private static func changes(_ path: String, from origin: PageConnection) throws -> [[String: Any]] {
        var changes: [[String: Any]] = []
        var cursor: String?
        while true {
            try origin.send(Array("GET \(path)\(cursor.map { "&cursor=\($0)" } ?? "") HTTP/1.1\r\nhost: shop\r\n\r\n".utf8))
            let response = try origin.receive()
            guard response.status == 200, let page = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any],
                let part = page["changes"] as? [[String: Any]]
            else { throw BenchmarkFailure(reason: "\(path): \(response.status)") }
            changes += part.filter { $0["op"] as? String == "upsert" }
            guard page["hasMore"] as? Bool == true else { return changes }
            cursor = page["cursor"] as? String
        }
    }
}

extension NaiveCopy.Section {
    fileprivate init(_ id: String, _ section: [String: Any], _ placements: [NaiveCopy.Placement]) {
        let fill = section["fill"] as? [String: Any]
        self.id = id
        target = (section["target"] as? [String: Any]).map { NaiveTarget($0) }
        layouts = NaiveLayouts(section)
        list = (section["seeAll"] as? [String: Any]).map { NaiveLayouts($0, listOf: section) }
        size = fill?["size"] as? Int ?? 0
        minItems = fill?["minItems"] as? Int ?? 1
        without = fill?["without"] as? [String] ?? []
        isGrouped = section["group"] as? String == "initial"
        pins = placements.filter { $0.slot != nil }.sorted { ($0.slot ?? 0) < ($1.slot ?? 0) }
        candidates = placements.filter { !$0.orders.isEmpty }
    }

    fileprivate func placements(for client: TrialClient, _ experiments: NaiveExperiments, without above: Set<String>) -> [NaiveCopy
        .Placement]
    {
        let pins = pins.filter { $0.isSeen(on: client.platform) && $0.target?.includes(client, experiments) ?? true }
        let pinned = Set(pins.compactMap(\.item))
        let ordered = candidates.filter { $0.order(on: client.platform) != nil }.sorted { one, other in
            func bytes(_ placement: NaiveCopy.Placement) -> [UInt8] { Array((placement.order(on: client.platform) ?? "").utf8) }
            return bytes(one).lexicographicallyPrecedes(bytes(other))
        }
        let others = ordered.filter { candidate in
            candidate.isSeen(on: client.platform) && !pinned.contains(candidate.item ?? "") && !above.contains(candidate.item ?? "")
        }
        // A pin whose slot comes after the last candidate moves up.
        var shelf = Array(others.prefix(max(0, size - pins.count)))
        for pin in pins { shelf.insert(pin, at: min(pin.slot ?? 0, shelf.count)) }
        return shelf
    }

    /// Returns the section, or its groups.
    fileprivate func shelves(_ placements: [NaiveCopy.Placement], on display: TrialDisplay) -> [Shelf] {
        let (layout, list) = (layouts.choice(on: display), list?.choice(on: display))
        func shelf(_ id: String, _ placements: [NaiveCopy.Placement]) -> Shelf {
            Shelf(
                section: id, layout: layout, list: list, placements: placements.map(\.id),
                isPinned: placements.map { $0.slot != nil }, items: placements.compactMap(\.item))
        }
        guard isGrouped else { return [shelf(id, placements)] }
        var initials: [String] = []
        let groups = Dictionary(grouping: placements, by: \.initial)
        for placement in placements where !initials.contains(placement.initial) { initials.append(placement.initial) }
        return initials.map { shelf("\(id)/\($0)", groups[$0] ?? []) }
    }
}

extension NaiveCopy.Placement {
    fileprivate init(_ id: String, _ data: [String: Any]) {
        self.id = id
        item = data["item"] as? String
        initial = data["initial"] as? String ?? "#"
        slot = data["pin"] as? Int
        target = (data["target"] as? [String: Any]).map { NaiveTarget($0) }
        orders = (data["order"] as? String).map { [nil: $0] } ?? data["order"] as? [String: String] ?? [:]
        platforms = data["on"] as? [String]
    }
}
