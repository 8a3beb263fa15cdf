/// A page to solve as one document: a screen, the items of each section, and the layouts, which repeat over the
/// sections.
package struct SolveRequest: Sendable {
    package var environment: LayoutEnvironment
    /// The number of items by section.
    package var itemCounts: [Int]
    /// The reported measurements by section.
    package var measurements: [SectionMeasurements]
    /// The flags by section and item. True if the item has the badge `new`.
    package var newItems: [[Bool]]
    package var configuration: PageConfiguration
    /// The layouts, at least one. Section i uses layout i modulo their number.
    package let layouts: [LayoutChoice]

    package init(
        environment: LayoutEnvironment, itemCounts: [Int], measurements: [SectionMeasurements] = [], newItems: [[Bool]] = [],
        configuration: PageConfiguration = PageConfiguration(), layouts: [LayoutChoice]
    ) {
        self.environment = environment
        self.itemCounts = itemCounts
        self.measurements = measurements
        self.newItems = newItems
        self.configuration = configuration
        self.layouts = layouts
    }

    package var contents: [SectionContent] {
        itemCounts.enumerated().map { index, count in
            let layout = layouts[index % layouts.count].expanded(at: index).layout(in: environment)
            let measured = index < measurements.count ? measurements[index] : SectionMeasurements()
            let new = index < newItems.count ? newItems[index] : []
            return SectionContent(
                layout: layout.section, itemCount: count, measurements: measured.items, newItems: new, header: measured.header,
                footer: measured.footer)
        }
    }

    package func solve() throws(LayoutError) -> SolvedPage {
        try SolvedPage(solving: contents, configuration: configuration, in: environment)
    }
}

/// A document about layouts, whose members decide its type: a curator's choice, a page to solve, or a composed page.
package enum LayoutDocument: Sendable {
    case choice(LayoutChoice)
    case request(SolveRequest)
    case page(LayoutPage)
}
