import JSON

/// The sections and items of a page, as texts that can be compared. A section is without its target.
struct ComparablePage: Equatable, Sendable {
    fileprivate struct Section: Equatable, Sendable {
        let id: String
        let placements: [String]
        let fields: [String: String]
    }

    private var sections: [Section]
    private var items: [String: String]

    init(_ body: [UInt8]) throws {
        let document = try JSONDocument(parsing: body, limits: .ownOutput)
        sections = try (document.root["sections"]?.elements).map { try $0.map { try Section(of: $0) } } ?? []
        items = try (document.root["items"]?.members).map { try $0.reduce(into: [:]) { $0[$1.key] = try $1.value.text } } ?? [:]
    }

    /// Returns the page without the sections and items that the client does not show.
    func keeping(_ shelves: [Shelf]) -> ComparablePage {
        var page = self
        page.sections = shelves.compactMap { shelf in sections.first { $0.id == shelf.section && $0.placements == shelf.placements } }
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
        }
        return "\(sections.map(\.id)) with \(items.count) items instead of \(other.sections.map(\.id)) with \(other.items.count)"
    }
}

extension ComparablePage.Section {
    fileprivate init(of node: JSONNode) throws {
        id = node["id"]?.string ?? ""
        placements = node["items"]?.elements.compactMap { $0["placement"]?.string } ?? []
        fields = try node.members.reduce(into: [:]) { fields, member in
            switch member.key {
            case "target": break
            // The solver subtracts positions, and the positions depend on the sections above, which a client may omit.
            case "extent": fields["extent"] = "\(Int(((member.value.double ?? 0) * 1_000).rounded()))"
            default: fields[member.key] = try member.value.text
            }
        }
    }
}

extension JSONNode {
    fileprivate var text: String {
        get throws { String(decoding: try JSONValue(self).json(), as: UTF8.self) }
    }
}
