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
    fileprivate let edition: Edition
    fileprivate let impression: String?
    /// The titles of the sections by their IDs.
    fileprivate let titles: [String: String]

    /// Returns the page for a client, with the rules by which the server makes its pages. All facts about the client must be
    /// known: each is stated, or the client does not state it.
    package func page(for facts: ClientFacts) -> CopiedPage {
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
            guard var section = Self.section(document) else { continue }
            section.placements = shelves[id] ?? []
            sections.append(section)
        }
        // The sections of a feed are IDs, so the edition has none yet.
        var edition = root.decodeLeniently(Edition.self) ?? Edition(sections: [])
        edition.sections = sections
        return CopiedFeed(
            key: feed, revision: root["revision"]?.integer ?? 0, edition: edition, impression: root["impression"]?.string,
            titles: titles)
    }

    private static func section(_ document: JSONDocument) -> ResolvableSection? {
        do throws(JSONError) { return try document.decodeLeniently(ResolvableSection.self).value } catch { return nil }
    }

    /// Returns the placements of some sections: the pins of each in the order of their slots, then its candidates.
    private func shelves(of sections: Set<String>) throws(JSONError) -> [String: [Placement]] {
        var shelves: [String: Shelf] = [:]
        for (key, entry) in entries where key.kind == "placement" && entry.content != nil {
            guard let root = try node(key), let section = root["section"]?.string, sections.contains(section),
                var placement = Self.placement(root, id: key.id)
            else { continue }
            if let item = placement.item, self[EntityKey(kind: "item", id: item)] == nil { continue }
            if placement.pin != nil { shelves[section, default: Shelf()].pins.append(placement) }
            guard let order = root["order"]?.string else { continue }
            placement.pin = nil
            shelves[section, default: Shelf()].candidates.append((order, placement))
        }
        return shelves.mapValues(\.placements)
    }

    private struct Shelf {
        var pins: [Placement] = []
        /// The candidates with their order keys. A placement without one is not a candidate in the locale.
        var candidates: [(order: String, placement: Placement)] = []

        var placements: [Placement] {
            pins.sorted { ($0.pin?.slot ?? 0, $0.id) < ($1.pin?.slot ?? 0, $1.id) }
                + candidates.sorted { ($0.order, $0.placement.id) < ($1.order, $1.placement.id) }.map(\.placement)
        }
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
