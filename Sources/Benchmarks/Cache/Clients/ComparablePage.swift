import JSON

/// The sections and items of a page, as texts that can be compared, without what a client has to decide: targets, slots and
/// `fill`, and without `next`, which depends on it.
struct ComparablePage: Equatable, Sendable {
    fileprivate struct Section: Equatable, Sendable {
        let id: String
        var placements: [Placement]
        /// The estimated length. A shared page has it for the screen of its URL, and a personal one for the layout of its client.
        var extent: String?
        let fields: [String: String]
    }

    fileprivate struct Placement: Equatable, Sendable {
        let id: String
        let isPinned: Bool
        let fields: [String: String]

        static func == (a: Placement, b: Placement) -> Bool { a.id == b.id && a.fields == b.fields }
    }

    private var sections: [Section]
    private var items: [String: String]

    init(_ body: [UInt8]) throws {
        let document = try JSONDocument(parsing: body, limits: .ownOutput)
        sections = try (document.root["sections"]?.elements).map { try $0.map { try Section(of: $0) } } ?? []
        items = try (document.root["items"]?.members).map { try $0.reduce(into: [:]) { $0[$1.key] = try $1.value.text } } ?? [:]
    }

    /// The page without the extents of its sections.
    var withoutExtents: ComparablePage {
        var page = self
        for index in sections.indices { page.sections[index].extent = nil }
        return page
    }

    /// Returns the page without the sections and items that the client does not show, and without extents.
    func keeping(_ shelves: [Shelf]) -> ComparablePage {
        var page = self
        page.sections = shelves.compactMap { shelf in
            guard var section = sections.first(where: { $0.id == shelf.section }) else { return nil }
            section.placements = zip(shelf.placements, shelf.isPinned).compactMap { id, isPinned in
                // Only a section that a client fills says which placements are pins.
                let found = section.placements.filter { $0.id == id }
                return found.first { $0.isPinned == isPinned } ?? found.first
            }
            section.extent = nil
            return section
        }
        let shown = Set(shelves.flatMap(\.items))
        page.items = items.filter { shown.contains($0.key) }
        return page
    }

    /// Returns a description of the first difference.
    func difference(from other: ComparablePage) -> String {
        for (section, found) in zip(sections, other.sections) where section != found {
            for key in Set(section.fields.keys).union(found.fields.keys) where section.fields[key] != found.fields[key] {
                return "\(section.id) \(key): \(section.fields[key] ?? "nothing") instead of \(found.fields[key] ?? "nothing")"
            }
            if section.extent != found.extent {
                return "\(section.id) extent: \(section.extent ?? "nothing") instead of \(found.extent ?? "nothing")"
            }
            return "\(section.id): \(section.placements) instead of \(found.placements)"
        }
        return "\(sections.map(\.id)) with \(items.count) items instead of \(other.sections.map(\.id)) with \(other.items.count)"
    }
}

extension ComparablePage.Section {
    fileprivate init(of node: JSONNode) throws {
        id = node["id"]?.string ?? ""
        placements =
            try node["items"]?.elements.map { placement in
                ComparablePage.Placement(
                    id: placement["placement"]?.string ?? "", isPinned: placement["pin"] != nil,
                    fields: try placement.texts(except: ["pin", "target"]))
            } ?? []
        extent = try node["extent"]?.text
        fields = try node.texts(except: ["target", "fill", "items", "next", "extent"])
    }
}

extension JSONNode {
    fileprivate func texts(except keys: Set<String>) throws -> [String: String] {
        try members.reduce(into: [:]) { fields, member in
            if !keys.contains(member.key) { fields[member.key] = try member.value.text }
        }
    }

    fileprivate var text: String {
        get throws { String(decoding: try JSONValue(self).json(), as: UTF8.self) }
    }
}
