/// Solves groups bottom up: first the sizes, then the positions.
///
/// The recursion is at most as deep as groups may nest.
struct GroupSolver {
    let tolerance: Double
    let measurements: [MeasuredSize]
    var nextItem = 0
    /// The end of the items whose measured size was read, including a child that did not fit.
    var requestedItems = 0
    var solved = SolvedGroup()
    /// The path from the outermost group to the current child.
    var path: [Int] = []
    private(set) var sawEstimate = false
    private(set) var stepsLeft: Int
    /// The limit of cells. It is higher during the attempt to place a child that may not fit.
    var maxCells = SolverLimits.slotsPerGroup

    init(halfPixel: Double, measurements: [MeasuredSize], steps: Int) {
        tolerance = halfPixel
        self.measurements = measurements
        stepsLeft = steps
    }

    /// Adds the cells of an item with its frame's corner at the origin, and returns the size of the frame.
    mutating func solve(_ item: LayoutItem, in container: PointSize, _ demand: SizeProposal) throws(LayoutError) -> PointSize {
        try consume(steps: 1)
        sawEstimate = sawEstimate || item.size.isEstimated
        let checkpoint = solved.checkpoint
        let size: PointSize
        switch item.content {
        case .cell: size = try solveCell(item, in: container, demand)
        case .group(let group): size = try solve(group, of: item, in: container, demand)
        case .custom(let custom): size = try solve(custom, of: item, in: container, demand)
        }
        if !item.supplementaryItems.isEmpty {
            let frame = if case .cell = item.content { solved.cells[checkpoint.cells] } else { Rectangle(x: 0, y: 0, size) }
            solved.hooks.append(.init(slot: checkpoint.cells, frame: frame, supplementaries: item.supplementaryItems))
        }
        return size
    }

    /// Returns the size before the content is known.
    func extents(of item: LayoutItem, in container: PointSize, _ demand: SizeProposal) -> PointSize {
        PointSize(
            width: demand.points(.horizontal, for: item.size.width) ?? item.size.width.points(in: container),
            height: demand.points(.vertical, for: item.size.height) ?? item.size.height.points(in: container))
    }

    private mutating func solveCell(_ item: LayoutItem, in container: PointSize, _ demand: SizeProposal) throws(LayoutError) -> PointSize {
        var size = extents(of: item, in: container, demand)
        let opens = (
            width: demand.leavesOpen(.horizontal, of: item.size), height: demand.leavesOpen(.vertical, of: item.size)
        )
        requestedItems = max(requestedItems, nextItem + 1)
        if nextItem < measurements.count {
            let measured = measurements[nextItem]
            if opens.width, demand.uniform.width == nil || !item.size.width.isUniform { size.width = measured.width?.value ?? size.width }
            if opens.height, demand.uniform.height == nil || !item.size.height.isUniform {
                size.height = measured.height?.value ?? size.height
            }
        }
        // A clamped cell keeps no insets either. Otherwise it would shrink by them when its measurement grows by a
        // point.
        let insets = item.contentInsets.dropping(width: item.size.width.isEstimated, height: item.size.height.isEstimated)
        try append(Rectangle(x: 0, y: 0, size).inset(by: insets))
        return size
    }

    private mutating func solve(
        _ custom: CustomGroup, of item: LayoutItem, in container: PointSize, _ demand: SizeProposal
    ) throws(LayoutError) -> PointSize {
        let size = extents(of: item, in: container, demand)
        _ = try content(of: size, less: item.contentInsets)
        try consume(steps: custom.frames.count)
        for frame in custom.frames {
            let rectangle = Rectangle(
                x: item.contentInsets.leading.points + frame.origin.x.value, y: item.contentInsets.top.points + frame.origin.y.value,
                width: frame.width.value, height: frame.height.value)
            try append(rectangle, zIndex: frame.zIndex)
        }
        return size
    }

    private mutating func consume(steps: Int) throws(LayoutError) {
        stepsLeft -= steps
        guard stepsLeft >= 0 else { throw LayoutError(.tooManyItems, path: path) }
    }

    private mutating func append(_ cell: Rectangle, zIndex: Int = 0) throws(LayoutError) {
        guard solved.cells.count < maxCells else { throw LayoutError(.tooManySlots, path: path) }
        solved.append(cell, zIndex: zIndex)
        nextItem += 1
    }

    func content(of size: PointSize, less insets: Insets) throws(LayoutError) -> PointSize {
        let content = PointSize(
            width: size.width - insets.leading.points - insets.trailing.points,
            height: size.height - insets.top.points - insets.bottom.points)
        guard content.width > 0, content.height > 0 else { throw LayoutError(.noRoom, path: path) }
        return content
    }
}
