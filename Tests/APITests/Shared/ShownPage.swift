import JSON
import Resolve
import VitrineClient

/// The contents of a page or of a copied feed, as texts that can be compared.
///
/// The texts omit the fields by which a client decides what to show (`target`, `fill` and `pin`), and those that depend on its
/// decision (`next` and `extent`).
struct ShownPage {
    /// A section as a client shows it.
    struct Shelf {
        let id: String
        let placements: [Placement]

        /// The IDs, which distinguish an item that is pinned from the same item as a candidate.
        var outline: String { id + placements.map { " \(ShownPage.key(of: $0.id, isPinned: $0.pin != nil))" }.joined() }
    }

    fileprivate struct Section {
        /// The ID without a heading.
        let id: String
        /// All fields.
        let text: String
        /// The fields that a copy has too.
        let copiedText: String
        /// The heading, if the section is a part of a grouped one.
        let heading: String?
        let layouts: [String]
    }

    fileprivate struct PlacementText {
        let text: String
        /// The heading in a copy. A page has it as the title of its part.
        let heading: String?
    }

    fileprivate struct LayoutText {
        let text: String
        let fallback: String?
    }

    private let text: String
    private let copiedText: String
    /// The sections by their IDs on the page.
    private var sections: [String: Section] = [:]
    private var placements: [String: PlacementText] = [:]
    private var items: [String: String] = [:]
    private var layouts: [String: LayoutText] = [:]
    /// The names of all fields of sections and placements.
    private(set) var names: Set<String> = []

    private static func key(of placement: String, isPinned: Bool) -> String { isPinned ? "\(placement)!" : placement }

    /// Returns the page as a client shows it: its fields, its sections with their placements, the items in the order in which they
    /// appear, and the layouts with their fallbacks.
    func lines(of shelves: [Shelf]) -> [String] {
        var lines = [text]
        for shelf in shelves {
            lines.append(sections[shelf.id]?.text ?? "no section \(shelf.id)")
            for placement in shelf.placements { lines.append(self.text(of: placement)) }
        }
        return lines + itemsAndLayouts(of: shelves)
    }

    /// Returns the page without the fields that a copy does not have: links to lists, and versions, which depend on the scope.
    /// The parts of a grouped section are one section.
    func copiedLines(of shelves: [Shelf]) -> [String] {
        var lines = [copiedText]
        var last: String?
        for shelf in shelves {
            let section = sections[shelf.id]
            if section == nil || section?.id != last { lines.append(section?.copiedText ?? "no section \(shelf.id)") }
            last = section?.id
            for placement in shelf.placements {
                let heading = heading(of: placement) ?? section?.heading
                lines.append((heading.map { "\($0): " } ?? "") + text(of: placement))
            }
        }
        return lines + itemsAndLayouts(of: shelves)
    }

    private func text(of placement: Placement) -> String {
        placements[Self.key(of: placement.id, isPinned: placement.pin != nil)]?.text ?? "no placement \(placement.id)"
    }

    private func heading(of placement: Placement) -> String? {
        placements[Self.key(of: placement.id, isPinned: placement.pin != nil)]?.heading
    }

    private func itemsAndLayouts(of shelves: [Shelf]) -> [String] {
        var lines: [String] = []
        var known: Set<String> = []
        for shelf in shelves {
            for placement in shelf.placements {
                guard let item = placement.item, known.insert(item).inserted else { continue }
                lines.append(items[item] ?? "no item \(item)")
            }
        }
        var next = shelves.flatMap { sections[$0.id]?.layouts ?? [] }
        var found: [String: String] = [:]
        while let id = next.popLast() {
            guard found[id] == nil else { continue }
            found[id] = layouts[id]?.text ?? "nothing"
            if let fallback = layouts[id]?.fallback { next.append(fallback) }
        }
        return lines + found.sorted { $0.key < $1.key }.map { "layout \($0.key): \($0.value)" }
    }

    private mutating func add(layout id: String, _ node: JSONNode) {
        layouts[id] = LayoutText(text: node.canonicalText, fallback: node["fallback"]?.string)
    }
}

extension ShownPage {
    /// Reads a page. The links of cards lose the platform, which the links in a copy do not have.
    init(page root: JSONNode, on platform: String?) {
        let parts: Set<String> = ["layouts", "sections", "items", "experiments", "holdout", "validUntil"]
        text = root.fields(except: parts).text
        copiedText = root.fields(except: parts.union(["schema", "storefront", "locale", "platform", "version"])).text
        for section in root["sections"]?.elements.map(\.self) ?? [] {
            let fields = section.fields(except: ["target", "fill", "items", "next", "extent"])
            names.formUnion(fields.keys)
            sections[section["id"]?.string ?? ""] = Section(section, fields)
            for placement in section["items"]?.elements.map(\.self) ?? [] { add(placement, on: platform) }
        }
        for item in root["items"]?.members.map(\.self) ?? [] { items[item.key] = "item \(item.key): \(item.value.canonicalText)" }
        for layout in root["layouts"]?.members.map(\.self) ?? [] { add(layout: layout.key, layout.value) }
    }

    private mutating func add(_ placement: JSONNode, on platform: String?) {
        var fields = placement.fields(except: ["target", "pin"])
        names.formUnion(fields.keys)
        if let platform {
            for key in ["show", "card"] { fields[key] = fields[key]?.replacing("&platform=\(platform)", with: "") }
        }
        let key = Self.key(of: placement["placement"]?.string ?? "", isPinned: placement["pin"] != nil)
        placements[key] = PlacementText(text: fields.text, heading: nil)
    }

    /// Reads a copy that has one feed.
    init(copy: LocalCopy, of feed: String) throws {
        var nodes: [EntityKey: JSONNode] = [:]
        for (key, entry) in copy.entries {
            guard let data = entry.content?.data else { continue }
            nodes[key] = try JSONDocument(parsing: data, limits: .ownOutput).root
        }
        copiedText = nodes[EntityKey(kind: "feed", id: feed)]?.fields(except: ["sections", "experiments", "holdout"]).text ?? "no feed"
        text = copiedText
        for (key, node) in nodes where key.kind == "section" {
            sections[key.id] = Section(copied: node, id: key.id)
        }
        for (key, node) in nodes {
            switch key.kind {
            case "item":
                // A page has the ID as the key.
                var item = JSONValue(node)
                item["id"] = nil
                items[key.id] = "item \(key.id): \(String(decoding: try item.canonicalJSON(), as: UTF8.self))"
            case "layout": add(layout: key.id, node)
            case "placement": add(copied: node, id: key.id)
            default: break
            }
        }
    }

    /// Adds a placement of a copy, which is a pin, a candidate, or both.
    private mutating func add(copied node: JSONNode, id: String) {
        var fields = node.fields(except: ["section", "order", "on", "initial", "pin", "target"])
        fields["placement"] = "\"\(id)\""
        let isGrouped = node["section"]?.string.flatMap { sections[$0] }?.heading != nil
        let heading = isGrouped ? node["initial"]?.string ?? "#" : nil
        placements[Self.key(of: id, isPinned: true)] = PlacementText(text: fields.text, heading: heading)
        // An appearance belongs to the pin.
        fields["show"] = nil
        placements[Self.key(of: id, isPinned: false)] = PlacementText(text: fields.text, heading: heading)
    }

    /// Returns the sections of a copied page, with the placements of a grouped one in the order of its headings.
    func shelves(of page: CopiedPage) -> [Shelf] {
        page.sections.map { section in
            guard sections[section.id]?.heading != nil else { return Shelf(id: section.id, placements: section.placements) }
            var headings: [String] = []
            var groups: [String: [Placement]] = [:]
            for placement in section.placements {
                let heading = heading(of: placement) ?? "#"
                if groups[heading] == nil { headings.append(heading) }
                groups[heading, default: []].append(placement)
            }
            return Shelf(id: section.id, placements: headings.flatMap { groups[$0] ?? [] })
        }
    }
}

extension ShownPage.Section {
    /// Reads a section of a page.
    fileprivate init(_ node: JSONNode, _ fields: [String: String]) {
        var copied = fields
        copied["version"] = nil
        if let group = node["group"] {
            copied["id"] = group["id"]?.canonicalText
            copied["title"] = group["title"]?.canonicalText
            copied["group"] = "\"initial\""
        }
        if let seeAll = node["seeAll"] { copied["seeAll"] = seeAll.fields(except: ["href"]).text }
        id = node["group"]?["id"]?.string ?? node["id"]?.string ?? ""
        text = fields.text
        copiedText = copied.text
        heading = node["group"] == nil ? nil : node["title"]?.string
        layouts = node.layouts
    }

    /// Reads a section of a copy. Its heading is empty if it is grouped.
    fileprivate init(copied node: JSONNode, id: String) {
        var fields = node.fields(except: ["target", "fill", "continues"])
        if let seeAll = node["seeAll"] { fields["seeAll"] = seeAll.fields(except: []).text }
        self.id = id
        text = fields.text
        copiedText = text
        heading = node["group"] == nil ? nil : ""
        layouts = node.layouts
    }
}

extension JSONNode {
    fileprivate var canonicalText: String { String(decoding: canonical(), as: UTF8.self) }

    fileprivate func fields(except names: Set<String>) -> [String: String] {
        var fields: [String: String] = [:]
        for member in members {
            let name = member.key
            if !names.contains(name) { fields[name] = member.value.canonicalText }
        }
        return fields
    }

    /// The layouts of a section and of its list, without their fallbacks.
    fileprivate var layouts: [String] {
        var ids: [String] = []
        if let id = self["layout"]?.string { ids.append(id) }
        for variant in self["variants"]?.elements.map(\.self) ?? [] { ids += variant.layouts }
        for alternate in self["alternates"]?.members.map(\.self) ?? [] { ids += alternate.value.layouts }
        return ids + (self["seeAll"]?.layouts ?? [])
    }
}

extension [String: String] {
    /// The fields in the order of their names.
    fileprivate var text: String { sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
}
