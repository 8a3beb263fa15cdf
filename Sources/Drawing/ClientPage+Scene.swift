package import Feeds
package import Layout

extension PreviewRequest {
    /// Lays out a page for a client that supports every layout. Omits sections without a layout.
    package init(_ page: ClientPage, on screen: Screen, isRightToLeft: Bool, appearance: FeedTheme.Appearance = .light) {
        var environment = screen.environment
        environment.layoutDirection = isRightToLeft ? .rightToLeft : .leftToRight
        let visible = page.sections.compactMap { section in
            page.layout(of: section, in: environment).map { (section: section, layout: $0) }
        }
        let size = "\(environment.width.value.plain) × \(environment.height.value.plain)"
        self.init(
            title: page.title, screenTitle: "\(screen.title), \(size)", environment: environment, configuration: page.configuration,
            contents: visible.map { section, layout in
                SectionContent(
                    layout: layout.section, itemCount: section.items.count, newItems: section.items.map { $0.badges.contains("new") })
            })
        sections = visible.map(\.section)
        theme = DrawingTheme(page.theme, in: appearance)
    }
}

extension ClientPage {
    package var isRightToLeft: Bool {
        ["ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"].contains(
            locale.split(separator: "-").first.map(String.init) ?? "")
    }
}
