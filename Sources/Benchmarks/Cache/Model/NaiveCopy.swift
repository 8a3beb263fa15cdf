import Foundation

/// A local copy of one storefront in one locale, read through the sync API: the published sections with their targets
/// and placements. It composes the page of one client directly.
struct NaiveCopy: Sendable {
    private struct Section: Sendable {
        let target: NaiveTarget?
        /// The section, or its groups.
        let shelves: [Shelf]
    }

    private let feeds: [String: [Section]]
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
            let shown = (placements[section.id] ?? []).filter { $0.data["order"] != nil && titles[$0.data["item"] as? String ?? ""] != nil }
            sections[section.id] = Section(
                target: (section.data["target"] as? [String: Any]).map { NaiveTarget($0) },
                shelves: Self.shelves(section.id, section.data, shown))
        }
        feeds = try (data["feed"] ?? []).reduce(into: [:]) { feeds, feed in
            feeds[feed.data["feed"] as? String ?? ""] = try (feed.data["sections"] as? [String] ?? []).map { id in
                guard let section = sections[id] else { throw BenchmarkFailure(reason: "the copy has no section \(id)") }
                return section
            }
        }
        self.titles = titles
    }

    /// Returns the page of a client.
    func shelves(for client: TrialClient) -> [Shelf] {
        (feeds[client.feed] ?? []).flatMap { section in section.target?.includes(client) ?? true ? section.shelves : [] }
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

    private static func shelves(_ id: String, _ section: [String: Any], _ placements: [(id: String, data: [String: Any])]) -> [Shelf] {
        let cells = (section["cells"] as? [String: String])?.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
        let cell = [section["cell"] as? String, cells].compactMap(\.self).joined(separator: " ")
        let size = (section["fill"] as? [String: Any])?["size"] as? Int ?? 0
        let sorted = placements.sorted { one, other in
            Array((one.data["order"] as? String ?? "").utf8).lexicographicallyPrecedes(Array((other.data["order"] as? String ?? "").utf8))
        }.prefix(size)
        func shelf(_ id: String, _ placements: [(id: String, data: [String: Any])]) -> Shelf {
            Shelf(section: id, cell: cell, placements: placements.map(\.id), items: placements.map { $0.data["item"] as? String ?? "" })
        }
        guard section["group"] as? String == "initial" else {
            return sorted.isEmpty ? [] : [shelf(id, Array(sorted))]
        }
        var initials: [String] = []
        let groups = Dictionary(grouping: sorted) { $0.data["initial"] as? String ?? "#" }
        for placement in sorted {
            let initial = placement.data["initial"] as? String ?? "#"
            if !initials.contains(initial) { initials.append(initial) }
        }
        return initials.map { shelf("\(id)/\($0)", groups[$0] ?? []) }
    }
}
