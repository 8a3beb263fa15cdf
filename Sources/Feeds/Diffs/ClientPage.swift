package import JSON
package import Layout
internal import Resolve

/// A page as a client received it, reduced to what a user can see. If the client has to select sections or placements, the
/// page has those of a client that states nothing about itself.
package struct ClientPage: Sendable {
    package struct Section: Sendable {
        package let id: String
        package let title: String?
        package let subtitle: String?
        /// The arrangement, or nil if the page has no valid layout for it.
        package let arrangement: Arrangement?
        /// The cells of the section's own layout, or nil if the page names none.
        let cells: CellStyles?
        package let items: [Item]
        package let hasMore: Bool

        /// Returns the cells of the layout that the section has on a screen, or nil if the page names none.
        package func cells(in environment: LayoutEnvironment) -> CellStyles? {
            let own = arrangement?.cells(in: environment)
            return cells.map { CellStyles.merged(own, over: $0) } ?? own
        }
    }

    /// An item or a card of a section.
    package struct Item: Sendable {
        /// The ID of the item, or of the placement if it is a card.
        package let id: String
        /// The title of the item on this page, or of the card. A card without a title has the description of its image, or
        /// else its key.
        package let title: String
        package let badges: [String]
        package let isCard: Bool
        /// The card, or the texts and the image that a pinned item has instead of its own.
        package let appearance: JSONNode?
    }

    package let revision: Int
    package let storefront: String
    package let locale: String
    package let title: String
    package let theme: FeedTheme
    package let configuration: PageConfiguration
    package let layouts: LayoutTable
    package let sections: [Section]

    /// Reads a page. Invalid parts are omitted.
    package init(_ document: JSONDocument) {
        let root = document.root
        revision = root["revision"]?.integer ?? 0
        storefront = root["storefront"]?.string ?? ""
        locale = root["locale"]?.string ?? ""
        title = root["title"]?.string ?? ""
        theme = root["theme"]?.decodeLeniently(FeedTheme.self) ?? FeedTheme()
        let page = LayoutPage.read(document.source).page
        configuration = page.configuration
        layouts = page.layouts
        let layoutSections = Dictionary(page.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var titles: [String: String] = [:]
        for item in root["items"]?.members.map(\.self) ?? [] { titles[item.key] = item.value["title"]?.string ?? item.key }
        sections = Self.shown(root).map { section, placements in
            let id = section["id"]?.string ?? ""
            return Section(
                id: id, title: section["title"]?.string, subtitle: section["subtitle"]?.string,
                arrangement: layoutSections[id]?.arrangement, cells: layoutSections[id]?.cells,
                items: placements.map { Item($0, titles) }, hasMore: section["next"] != nil)
        }
    }

    /// Returns the sections that a client shows, each with its placements in their order.
    private static func shown(_ root: JSONNode) -> [(section: JSONNode, placements: [JSONNode])] {
        guard let edition = root.decodeLeniently(Edition.self) else { return [] }
        let sections = (root["sections"]?.elements.map(\.self) ?? []).map { ($0["id"]?.string ?? "", $0) }
        let sectionsById = Dictionary(sections, uniquingKeysWith: { first, _ in first })
        return resolve(edition, .nothingSaid).sections.compactMap { resolved -> (section: JSONNode, placements: [JSONNode])? in
            guard let section = sectionsById[resolved.id] else { return nil }
            let placements = (section["items"]?.elements.map(\.self) ?? []).map { (PlacementKey($0), $0) }
            let placementsByKey = Dictionary(placements, uniquingKeysWith: { first, _ in first })
            return (section, resolved.placements.compactMap { placementsByKey[PlacementKey($0)] })
        }
    }

    /// Returns the layout of a section on a screen, for a client that supports every layout.
    package func layout(of section: Section, in environment: LayoutEnvironment) -> LayoutDescriptor? {
        section.arrangement.flatMap { layouts.resolve($0.layout(in: environment), for: Set(Capability.all)) }?.descriptor
    }
}

extension ClientPage.Item {
    fileprivate init(_ placement: JSONNode, _ titles: [String: String]) {
        let placementId = placement["placement"]?.string ?? ""
        let badges = placement["badges"]?.elements.compactMap(\.string) ?? []
        if let card = placement["card"] {
            let title = card["title"]?.string ?? card["image"]?["alt"]?.string ?? placementId.split(separator: "/").last.map(String.init)
            self.init(id: placementId, title: title ?? "", badges: badges, isCard: true, appearance: card)
        } else {
            let (item, appearance) = (placement["item"]?.string ?? "", placement["show"])
            self.init(
                id: item, title: appearance?["title"]?.string ?? titles[item] ?? item, badges: badges, isCard: false, appearance: appearance
            )
        }
    }
}

/// The identity of a placement of a page. A pin and a candidate of the same item have the same ID.
private struct PlacementKey: Hashable {
    private let id: String
    private let item: String?
    private let slot: Int?

    init(_ placement: Placement) {
        (id, item, slot) = (placement.id, placement.item, placement.pin?.slot)
    }

    init(_ json: JSONNode) {
        (id, item, slot) = (json["placement"]?.string ?? "", json["item"]?.string, json["pin"]?.integer)
    }
}
