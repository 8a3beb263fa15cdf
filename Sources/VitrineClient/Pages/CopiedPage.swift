package import JSON
package import Resolve

/// The page of a feed in a local copy, as one client sees it.
package struct CopiedPage: Sendable, Equatable {
    package struct Section: Sendable, Equatable {
        package let id: String
        package let title: String?
        /// The placements in their order.
        package let placements: [Placement]
    }

    package let feed: String
    package let revision: Int
    package let sections: [Section]
    /// The arm of the client in each experiment of the page, which the client reports.
    package let arms: [String: String]
    /// The impression, which the client sends with its events.
    package let impression: String?
}

/// A feed in a local copy, before it is resolved for a client.
package struct CopiedFeed: Sendable {
    fileprivate let key: String
    fileprivate let revision: Int
    /// The page without placements, whose order depends on the platform of the client.
    fileprivate let edition: Edition
    fileprivate let shelves: [String: Shelf]
    fileprivate let impression: String?
    /// The titles of the sections by their IDs.
    fileprivate let titles: [String: String]

    /// Returns the page for a client, with the rules by which the server makes its pages. All facts about the client must be
    /// known: each is stated, or the client does not state it.
    package func page(for facts: ClientFacts) -> CopiedPage {
        var edition = edition
        var platform: String?
        if case .said(let stated) = facts.platform { platform = stated }
        for index in edition.sections.indices {
            edition.sections[index].placements = shelves[edition.sections[index].id]?.placements(on: platform) ?? []
        }
        let page = resolve(edition, facts)
        var arms: [String: String] = [:]
        for case (let key, .arm(let arm)) in page.experiments { arms[key] = arm }
        return CopiedPage(
            feed: key, revision: revision,
            sections: page.sections.map { .init(id: $0.id, title: titles[$0.id], placements: $0.placements) }, arms: arms,
            impression: impression)
    }
}

extension LocalCopy {
    /// Returns the page of a feed for a client, or nil if the copy does not have the feed.
    package func page(of feed: String, for facts: ClientFacts) throws(JSONError) -> CopiedPage? {
        try self.feed(feed)?.page(for: facts)
    }

    /// Returns the sections and placements of a feed, or nil if the copy does not have it. Only a copy that is up to date has
    /// all of them.
    package func feed(_ feed: String) throws(JSONError) -> CopiedFeed? {
        guard let root = try node(EntityKey(kind: "feed", id: feed)) else { return nil }
        let ids = root["sections"]?.elements.compactMap(\.string) ?? []
        let shelves = try shelves(of: Set(ids))
        var sections: [ResolvableSection] = []
        var titles: [String: String] = [:]
        for id in ids {
            guard let data = self[EntityKey(kind: "section", id: id)]?.data else { continue }
            let document = try JSONDocument(parsing: data, limits: .ownOutput)
            titles[id] = document.root["title"]?.string
            // A section of a later release can be unreadable. The page omits it, as it does on the server.
            guard let section = Self.section(document) else { continue }
            sections.append(section)
        }
        // The sections of a feed are IDs, so the edition has none yet.
        var edition = root.decodeLeniently(Edition.self) ?? Edition(sections: [])
        edition.sections = sections
        return CopiedFeed(
            key: feed, revision: root["revision"]?.integer ?? 0, edition: edition, shelves: shelves,
            impression: root["impression"]?.string, titles: titles)
    }

    private static func section(_ document: JSONDocument) -> ResolvableSection? {
        do throws(JSONError) { return try document.decodeLeniently(ResolvableSection.self).value } catch { return nil }
    }

    /// Returns the pins and candidates of some sections.
    private func shelves(of sections: Set<String>) throws(JSONError) -> [String: Shelf] {
        var shelves: [String: Shelf] = [:]
        for (key, entry) in entries where key.kind == "placement" && entry.content != nil {
            guard let root = try node(key), let section = root["section"]?.string, sections.contains(section),
                var placement = Self.placement(root, id: key.id)
            else { continue }
            if let item = placement.item, self[EntityKey(kind: "item", id: item)] == nil { continue }
            if placement.pin != nil { shelves[section, default: Shelf()].pins.append(placement) }
            guard let order = root["order"].flatMap(OrderKeys.init) else { continue }
            placement.pin = nil
            shelves[section, default: Shelf()].candidates.append((order, placement))
        }
        return shelves
    }

    /// Returns nil if a later release wrote a placement that this one cannot read. The page omits it.
    private static func placement(_ json: JSONNode, id: String) -> Placement? {
        var value = JSONValue(json)
        value["placement"] = .string(id)
        do throws(JSONError) {
            return try JSONDocument(parsing: value.json(), limits: .ownOutput).decodeLeniently(Placement.self).value
        } catch {
            return nil
        }
    }

    /// Returns the document of an entity, or nil if the copy does not have it.
    private func node(_ key: EntityKey) throws(JSONError) -> JSONNode? {
        guard let data = self[key]?.data else { return nil }
        return try JSONDocument(parsing: data, limits: .ownOutput).root
    }
}

/// The pins and the candidates of a section.
private struct Shelf {
    var pins: [Placement] = []
    /// The candidates with their order keys. A placement without one is not a candidate in the locale.
    var candidates: [(order: OrderKeys, placement: Placement)] = []

    /// Returns the pins in the order of their slots, then the candidates in the order of a platform. A nil platform is for
    /// clients that state none.
    func placements(on platform: String?) -> [Placement] {
        let ordered = candidates.compactMap { candidate in candidate.order[platform].map { (order: $0, placement: candidate.placement) } }
        return pins.sorted { ($0.pin?.slot ?? 0, $0.id) < ($1.pin?.slot ?? 0, $1.id) }
            + ordered.sorted { ($0.order, $0.placement.id) < ($1.order, $1.placement.id) }.map(\.placement)
    }
}

/// The order key of a candidate, or its keys by platform in a rotation.
private enum OrderKeys {
    case everywhere(String)
    case byPlatform([String: String])

    /// The name of the key for clients that state no platform.
    private static let withoutPlatform = "*"

    init?(_ json: JSONNode) {
        if let key = json.string {
            self = .everywhere(key)
        } else {
            let keys = json.members.compactMap { member in member.value.string.map { (member.key, $0) } }
            if keys.isEmpty { return nil }
            self = .byPlatform(Dictionary(keys, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Returns the key on a platform, or nil if clients do not see the candidate there.
    subscript(platform: String?) -> String? {
        switch self {
        case .everywhere(let key): key
        case .byPlatform(let keys): keys[platform ?? Self.withoutPlatform]
        }
    }
}
