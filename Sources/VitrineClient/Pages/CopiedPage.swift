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
}

extension LocalCopy {
    /// Returns the page of a feed for a client, with the rules by which the server makes its pages. Returns nil if the copy
    /// does not have the feed.
    ///
    /// All facts about the client must be known: each is stated, or the client does not state it. Only a copy that is up to
    /// date has all parts of a page.
    package func page(of feed: String, for facts: ClientFacts) throws(JSONError) -> CopiedPage? {
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
        let resolved = resolve(Edition(sections: sections), facts).sections
        return CopiedPage(
            feed: feed, revision: root["revision"]?.integer ?? 0,
            sections: resolved.map { .init(id: $0.id, title: titles[$0.id], placements: $0.placements) })
    }

    private static func section(_ document: JSONDocument) -> ResolvableSection? {
        do throws(JSONError) { return try document.decodeLeniently(ResolvableSection.self).value } catch { return nil }
    }

    /// Returns the placements of some sections in their order. A placement without an order is not shown in the locale.
    private func shelves(of sections: Set<String>) throws(JSONError) -> [String: [Placement]] {
        var found: [String: [(order: String, placement: Placement)]] = [:]
        for (key, entry) in entries where key.kind == "placement" && entry.content != nil {
            guard let root = try node(key), let section = root["section"]?.string, sections.contains(section),
                let order = root["order"]?.string, let item = root["item"]?.string, self[EntityKey(kind: "item", id: item)] != nil
            else { continue }
            found[section, default: []].append((order, Placement(id: key.id, item: item)))
        }
        return found.mapValues { shelf in
            shelf.sorted { ($0.order, $0.placement.id) < ($1.order, $1.placement.id) }.map(\.placement)
        }
    }

    /// Returns the document of an entity, or nil if the copy does not have it.
    private func node(_ key: EntityKey) throws(JSONError) -> JSONNode? {
        guard let data = self[key]?.data else { return nil }
        return try JSONDocument(parsing: data, limits: .ownOutput).root
    }
}
