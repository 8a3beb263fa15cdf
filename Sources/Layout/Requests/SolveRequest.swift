/// A page to solve as one document: a screen, the items of each section, and the layouts, which are taken in turn.
package struct SolveRequest: Sendable {
    package var environment: LayoutEnvironment
    /// By section.
    package var itemCounts: [Int]
    package var configuration: PageConfiguration
    /// Section i takes layout i modulo their number; never empty.
    package let layouts: [LayoutChoice]

    package init(
        environment: LayoutEnvironment, itemCounts: [Int], configuration: PageConfiguration = PageConfiguration(), layouts: [LayoutChoice]
    ) {
        self.environment = environment
        self.itemCounts = itemCounts
        self.configuration = configuration
        self.layouts = layouts
    }

    /// The sections with the layouts that the screen asks for.
    package var contents: [SectionContent] {
        itemCounts.enumerated().map { index, count in
            let layout = layouts[index % layouts.count].expanded(at: index).layout(in: environment)
            return SectionContent(layout: layout.section, itemCount: count)
        }
    }

    package func solve() throws(LayoutError) -> SolvedPage {
        try SolvedPage(solving: contents, configuration: configuration, in: environment)
    }
}
