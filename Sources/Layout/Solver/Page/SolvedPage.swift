/// The frames of a page.
package struct SolvedPage: Sendable {
    package let axis: Axis
    /// What the frames are snapped to when they are drawn.
    package let scale: Scale
    package let contentSize: PointSize
    package var sections: [SolvedSection]
    /// Of the page's configuration; those of sections are with them.
    package var boundaryItems: [SolvedBoundaryItem]
    /// Whether everything has been mirrored for right to left.
    package private(set) var isMirrored = false

    /// The same input always gives the same frames; takes time linear in the items.
    package init(
        solving contents: [SectionContent], configuration: PageConfiguration = PageConfiguration(), in environment: LayoutEnvironment
    ) throws(LayoutError) {
        guard contents.count <= SolverLimits.sections else { throw LayoutError(.tooManyItems) }
        var budget = SolverBudget()
        let outer = PageFrame(configuration, in: environment)
        let basis = outer.container()
        let (items, along) = (configuration.boundarySupplementaryItems, outer.axis)
        let bands = Bands(items, in: basis.size, scrolling: along)
        let page = outer.inset(by: bands)
        var position = bands.start
        var sections: [SolvedSection] = []
        sections.reserveCapacity(contents.count)
        for (index, content) in contents.enumerated() {
            if index > 0 { position += configuration.interSectionSpacing.value }
            do throws(LayoutError) {
                sections.append(try SectionSolver(content, in: page, from: position).solve(within: &budget))
            } catch {
                throw LayoutError(error.code, section: index, path: error.path)
            }
            position = sections[index].end
        }
        let end = position + bands.end
        axis = along
        scale = environment.scale
        self.sections = sections
        contentSize = PointSize(along: along, end, across: along == .vertical ? environment.width.value : environment.height.value)
        boundaryItems = items.map { SolvedBoundaryItem($0, in: basis, along: 0...max(0, end), scrolling: along) }
        if environment.layoutDirection == .rightToLeft { mirror(within: max(contentSize.width, environment.width.value)) }
    }

    /// From left to right into right to left, and back.
    package mutating func mirror(within width: Double) {
        for index in sections.indices { sections[index].mirror(within: width, scrolling: axis) }
        for index in boundaryItems.indices { boundaryItems[index].mirror(within: width, scrolling: axis) }
        isMirrored.toggle()
    }
}
