/// A page to solve as one document: a screen, the items of each section, and the layouts, which are taken in turn.
package struct SolveRequest: Sendable {
    package var environment: LayoutEnvironment
    /// By section.
    package var itemCounts: [Int]
    /// By section and item, as far as a client has reported them.
    package var measurements: [[MeasuredSize]]
    /// By section and item, whether it carries the badge `new`.
    package var newItems: [[Bool]]
    package var configuration: PageConfiguration
    /// Section i takes layout i modulo their number; never empty.
    package let layouts: [LayoutChoice]

    package init(
        environment: LayoutEnvironment, itemCounts: [Int], measurements: [[MeasuredSize]] = [], newItems: [[Bool]] = [],
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
            let measured = index < measurements.count ? measurements[index] : []
            let new = index < newItems.count ? newItems[index] : []
            return SectionContent(layout: layout.section, itemCount: count, measurements: measured, newItems: new)
        }
    }

    package func solve() throws(LayoutError) -> SolvedPage {
        try SolvedPage(solving: contents, configuration: configuration, in: environment)
    }
}

/// A document about layouts, as its members tell: a curator's choice, a page to solve, or a page that was composed.
package enum LayoutDocument: Sendable {
    case choice(LayoutChoice)
    case request(SolveRequest)
    case page(LayoutPage)
}
