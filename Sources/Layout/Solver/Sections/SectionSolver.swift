struct SectionSolver {
    let content: SectionContent
    let page: PageFrame
    /// The start along the page's scrolling direction.
    let start: Double
    private let insets: Insets
    private let isOrthogonal: Bool
    /// The size against which groups resolve.
    private let effective: PointSize
    /// The rectangle against which boundary items resolve. They are aligned in it across the scrolling direction.
    private let basis: Rectangle
    private let boundaryItems: [BoundaryItem]
    /// The size of each boundary item.
    private let boundarySizes: [PointSize]
    private let bands: Bands
    /// The part between the bands at the sides, in which a scroller is visible.
    private let window: (start: Double, length: Double)

    private var layout: LayoutSection { content.layout }
    private var along: Axis { page.axis }
    private var across: Axis { page.axis.other }

    init(_ content: SectionContent, in page: PageFrame, from start: Double) throws(LayoutError) {
        let (along, across) = (page.axis, page.axis.other)
        let layout = content.layout
        self.content = content
        self.page = page
        self.start = start
        insets = layout.contentInsets
        isOrthogonal = layout.orthogonalScrollingBehavior != .none
        let container = page.container(layout.contentInsetsReference)
        let inset = Rectangle(
            x: container.x + insets.leading.points, y: container.y + insets.top.points,
            width: container.width - insets.leading.points - insets.trailing.points,
            height: container.height - insets.top.points - insets.bottom.points)
        basis = layout.supplementaryContentInsetsReference == .none ? container : inset
        boundaryItems = layout.boundaryItems
        boundarySizes = boundaryItems.extents(in: basis.size, header: content.header, footer: content.footer)
        bands = Bands(boundaryItems, boundarySizes, scrolling: along)
        window = (container.start(across) + bands.near, container.size[across] - bands.near - bands.far)
        effective = PointSize(along: along, inset.size[along], across: inset.size[across] - bands.near - bands.far)
        guard effective.width > 0, effective.height > 0 else { throw LayoutError(.noRoom) }
    }

    func solve(within budget: inout SolverBudget) throws(LayoutError) -> SolvedSection {
        try budget.consumeItems(content.itemCount)
        try budget.consumeParts(boundaryItems.count + layout.decorationItems.count)
        let top = start + bands.start + insets.start(along)
        let side = (isOrthogonal ? 0 : window.start) + insets.start(across)
        var run = GroupRun(
            of: layout.repeated, along: isOrthogonal ? across : along, from: isOrthogonal ? side : top,
            across: isOrthogonal ? top : side, spacing: layout.interGroupSpacing.value, budget: budget)
        try run.solve(content, in: effective, halfPixel: page.halfPixel)
        let bottom = isOrthogonal ? top + run.thickness : run.end
        let scroller = try scroller(run, top: top)
        budget = run.budget
        try budget.consumeParts(scroller?.restingOffsets.count ?? 0)
        return solved(run, end: bottom + insets.end(along) + bands.end, scroller)
    }

    private func scroller(_ run: GroupRun, top: Double) throws(LayoutError) -> SolvedScroller? {
        guard isOrthogonal else { return nil }
        let origin = PointSize(along: along, top, across: window.start)
        let size = PointSize(along: along, run.thickness, across: window.length)
        return try SolvedScroller(
            layout.orthogonalScrollingBehavior, axis: across, viewport: Rectangle(x: origin.width, y: origin.height, size),
            contentExtent: run.end + insets.end(across), groups: run.groupFrames, leadingInset: insets.start(across),
            halfPixel: page.halfPixel)
    }

    private func solved(_ run: GroupRun, end: Double, _ scroller: SolvedScroller?) -> SolvedSection {
        let container = page.container(layout.contentInsetsReference)
        let origin = PointSize(along: along, start, across: container.start(across))
        let frame = Rectangle(
            x: origin.width, y: origin.height, PointSize(along: along, end - start, across: container.size[across]))
        let boundaries = zip(boundaryItems, boundarySizes).map {
            SolvedBoundaryItem($0, $1, in: basis, along: start...max(start, end), scrolling: along)
        }
        let isEstimated = layout.isList || run.isEstimated || boundaryItems.contains { $0.size.isEstimated }
        return SolvedSection(
            frame: frame, start: start, end: end, slotsPerGroup: run.slotsPerGroup, frames: run.frames, groupFrames: run.groupFrames,
            firstItems: run.firstItems, zIndexes: run.zIndexes, supplementaryItems: run.supplementaries, boundaryItems: boundaries,
            decorationItems: layout.decorationItems.map { SolvedDecoration($0, in: frame) }, scroller: scroller,
            effects: layout.effects, warnings: run.warnings, isList: layout.isList, isEstimated: isEstimated,
            axis: run.axis, roomAcross: effective[across], overhang: run.overhang)
    }
}

extension LayoutSection {
    fileprivate var isList: Bool {
        if case .list = content { true } else { false }
    }

    /// The repeated item. The rows of a list are groups of one.
    fileprivate var repeated: LayoutItem {
        switch content {
        case .group(let item): item
        case .list(let list): LayoutItem(size: LayoutSize(width: .fractionalWidth(.whole), height: list.rowHeight))
        }
    }
}
