internal import Feeds
package import Layout

package struct PreviewRequest {
    package var title = ""
    let screenTitle: String
    let environment: LayoutEnvironment
    let configuration: PageConfiguration
    let contents: [SectionContent]
    /// The sections of the page. Empty if the request is for layouts without a page.
    var sections: [ClientPage.Section] = []
    var theme = DrawingTheme()
    var isRightToLeft: Bool { environment.layoutDirection == .rightToLeft }

    package init(
        title: String, screenTitle: String, environment: LayoutEnvironment, configuration: PageConfiguration, contents: [SectionContent]
    ) {
        self.title = title
        self.screenTitle = screenTitle
        self.environment = environment
        self.configuration = configuration
        self.contents = contents
    }

    package init(_ document: LayoutDocument, device: String?, itemCount: Int?, matrix: ScreenMatrix) {
        let chosen = device.flatMap { matrix[$0] }
        let screen = chosen ?? matrix["iphone"] ?? matrix.screens[0]
        var request: SolveRequest
        var isOwnScreen = false
        switch document {
        case .request(let own):
            request = own
            isOwnScreen = chosen == nil
        case .choice(let choice):
            // Draw one section, or three if the layout differs by section.
            let sections = choice.expanded(at: 0).layout == choice.expanded(at: 1).layout ? 1 : 3
            request = SolveRequest(
                environment: screen.environment, itemCounts: Array(repeating: sections == 1 ? 20 : 9, count: sections),
                newItems: Array(repeating: [true], count: sections), layouts: [choice])
        case .page(let page): request = SolveRequest(drawing: page, on: screen.environment)
        }
        if !isOwnScreen { request.environment = screen.environment }
        if let itemCount { request.itemCounts = request.itemCounts.map { _ in itemCount } }
        environment = request.environment
        configuration = request.configuration
        contents = request.contents
        let size = "\(environment.width.value.plain) × \(environment.height.value.plain)"
        screenTitle = isOwnScreen ? size : "\(screen.title), \(size)"
    }

    /// Solves the page that the scene draws.
    package func solve() throws(LayoutError) -> SolvedPage {
        try SolvedPage(solving: contents, configuration: configuration, in: environment)
    }
}

extension SolveRequest {
    /// Creates a request from a composed page, with the layouts of a client that has every capability.
    fileprivate init(drawing page: LayoutPage, on environment: LayoutEnvironment) {
        let layouts = page.sections.compactMap { section in
            section.arrangement.flatMap { page.layouts.resolve($0.layout(in: environment), for: Set(Capability.all)) }?.descriptor
        }
        self.init(
            environment: environment, itemCounts: Array(repeating: 20, count: layouts.count),
            newItems: Array(repeating: [true], count: layouts.count), configuration: page.configuration,
            layouts: layouts.map { LayoutChoice(.full($0)) })
    }
}

extension Double {
    /// The number with at most two decimals and no trailing zeros.
    var plain: String {
        let hundredths = (self * 100).rounded()
        guard hundredths.magnitude < 1e15 else { return "\(self)" }
        let (whole, part) = Int(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if part == 0 { return "\(sign)\(whole)" }
        return part % 10 == 0 ? "\(sign)\(whole).\(part / 10)" : "\(sign)\(whole).\(part < 10 ? "0" : "")\(part)"
    }
}
