internal import Feeds
internal import Layout

extension PreviewRequest {
    /// A page as a client that can follow every layout draws it on a screen. What it names no layout for is left out.
    init(_ page: ClientPage, on screen: Screen, isRightToLeft: Bool) {
        var environment = screen.environment
        environment.layoutDirection = isRightToLeft ? .rightToLeft : .leftToRight
        let shown = page.sections.compactMap { section in
            page.layout(of: section, in: environment).map { (section: section, layout: $0) }
        }
        let size = "\(environment.width.value.plain) × \(environment.height.value.plain)"
        self.init(
            title: page.title, screenTitle: "\(screen.title), \(size)", environment: environment, configuration: page.configuration,
            contents: shown.map { section, layout in
                SectionContent(
                    layout: layout.section, itemCount: section.items.count, newItems: section.items.map { $0.badges.contains("new") })
            })
        sectionTitles = shown.map { section, _ in section.title ?? section.id.split(separator: "/").last.map(String.init) }
        itemTitles = shown.map { section, _ in section.items.map(\.title) }
    }
}

extension ClientPage {
    /// What of a document is not on its page, and why.
    func notes(on document: FeedDocument) -> [String] {
        let shown = Set(sections.compactMap { $0.id.split(separator: "/").dropFirst().first.map(String.init) })
        return document.sections.filter { !shown.contains($0.key.text) }.map { section in
            guard let target = section.target else { return "\(section.key) is not on the page: it finds too little to show." }
            if !target.isFor(storefront) { return "\(section.key) is not on the page: it is for other storefronts." }
            return
                "\(section.key) is not on the page: \(target.asksClients ? "it is for some clients only, as --client has them" : "it is for other readers"), or finds too little."
        }
    }

    /// Whether its language is written from right to left.
    var isRightToLeft: Bool {
        ["ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"].contains(
            locale.split(separator: "-").first.map(String.init) ?? "")
    }
}
