package import JSON
package import Layout

/// A page as a client received it, reduced to what a user can see.
package struct ClientPage: Sendable {
    package struct Section: Sendable {
        package let id: String
        package let title: String?
        package let subtitle: String?
        /// The arrangement, or nil if the page has no valid layout for it.
        package let arrangement: Arrangement?
        package let items: [Item]
        package let hasMore: Bool
    }

    package struct Item: Sendable, Equatable {
        package let id: String
        package let title: String
        package let badges: [String]
    }

    package let revision: Int
    package let storefront: String
    package let locale: String
    package let title: String
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
        let page = LayoutPage.read(document.source).page
        configuration = page.configuration
        layouts = page.layouts
        let arrangements = Dictionary(page.sections.map { ($0.id, $0.arrangement) }, uniquingKeysWith: { first, _ in first })
        var titles: [String: String] = [:]
        for item in root["items"]?.members.map(\.self) ?? [] { titles[item.key] = item.value["title"]?.string ?? item.key }
        sections = (root["sections"]?.elements.map(\.self) ?? []).map { section in
            let id = section["id"]?.string ?? ""
            let items = (section["items"]?.elements.map(\.self) ?? []).map { placement in
                let item = placement["item"]?.string ?? ""
                return Item(
                    id: item, title: titles[item] ?? item, badges: placement["badges"]?.elements.compactMap(\.string) ?? [])
            }
            return Section(
                id: id, title: section["title"]?.string, subtitle: section["subtitle"]?.string, arrangement: arrangements[id] ?? nil,
                items: items, hasMore: section["next"] != nil)
        }
    }

    /// Returns the layout of a section on a screen, for a client that supports every layout.
    package func layout(of section: Section, in environment: LayoutEnvironment) -> LayoutDescriptor? {
        section.arrangement.flatMap { layouts.resolve($0.layout(in: environment), for: Set(Capability.all)) }?.descriptor
    }
}
