struct GroupRun {
    let axis: Axis
    let item: LayoutItem
    let spacing: Double
    var frames: ContiguousArray<Rectangle> = []
    var groupFrames: ContiguousArray<Rectangle> = []
    /// The first item of each group, if groups differ in their number of slots.
    var firstItems: ContiguousArray<Int> = []
    var zIndexes: ContiguousArray<Int> = []
    var supplementaries: [SolvedSupplementary] = []
    var slotsPerGroup = 0
    var warnings: SolverWarnings = []
    var isEstimated = false
    /// The distance that cells extend along the axis beyond the start and the end of their group.
    var overhang = (start: 0.0, end: 0.0)
    /// The largest extent of a group with its edge spacing, across the axis.
    var thickness = 0.0
    /// The position of the next group, before its leading edge spacing.
    var position: Double
    let across: Double
    var budget: SolverBudget

    init(of item: LayoutItem, along axis: Axis, from start: Double, across: Double, spacing: Double, budget: SolverBudget) {
        self.item = item
        self.axis = axis
        self.across = across + item.edgeSpacing.start(axis.other).minimum
        self.spacing = spacing
        position = start
        self.budget = budget
    }

    var end: Double { groupFrames.isEmpty ? position : position - spacing }

    mutating func note(_ group: SolvedGroup) {
        warnings.formUnion(group.warnings)
        thickness = max(thickness, item.edgeSpacing.minimum(axis.other) + group.size[axis.other])
        for cell in group.cells {
            overhang.start = max(overhang.start, -cell.start(axis))
            overhang.end = max(overhang.end, cell.end(axis) - group.size[axis])
        }
    }

    @inline(__always)
    mutating func advance(_ size: PointSize) -> (x: Double, y: Double) {
        let start = position + item.edgeSpacing.start(axis).minimum
        position = start + size[axis] + item.edgeSpacing.end(axis).minimum + spacing
        return axis == .horizontal ? (start, across) : (across, start)
    }
}

extension GroupRun {
    /// Solves a group and repeats it if no item was measured. Otherwise solves one group after another.
    mutating func solve(_ content: SectionContent, in container: PointSize, halfPixel: Double) throws(LayoutError) {
        guard content.itemCount > 0 else { return }
        var solver = GroupSolver(halfPixel: halfPixel, measurements: content.measurements, steps: budget.steps)
        defer { budget.steps = solver.stepsLeft }
        var demand = SizeProposal.none
        var template = try solver.estimate(item, in: container, demand)
        slotsPerGroup = template.cells.count
        isEstimated = solver.sawEstimate
        frames.reserveCapacity(content.itemCount)
        guard solver.sawEstimate, content.measurements.contains(where: { $0.isKnown }) else {
            note(template)
            groupFrames.reserveCapacity((content.itemCount + slotsPerGroup - 1) / slotsPerGroup)
            stamp(template, items: content.itemCount)
            return try hang(template, groups: groupFrames.indices, firstItem: 0, of: content)
        }
        if let uniform = try solver.largest(of: item, content, in: container, template) {
            demand.uniform = uniform
            template = try solver.estimate(item, in: container, demand)
        }
        try run(&solver, template, content, in: container, demand)
    }

    private mutating func run(
        _ solver: inout GroupSolver, _ template: SolvedGroup, _ content: SectionContent, in container: PointSize, _ demand: SizeProposal
    ) throws(LayoutError) {
        var next = 0
        while next < content.itemCount {
            let group = try solver.group(showing: next, item, template, in: container, demand)
            let slots = group.cells.count
            if groupFrames.isEmpty { slotsPerGroup = slots }
            if slots != slotsPerGroup, firstItems.isEmpty { firstItems = ContiguousArray(groupFrames.indices.map { $0 * slotsPerGroup }) }
            if slots != slotsPerGroup || !firstItems.isEmpty { firstItems.append(next) }
            note(group)
            stamp(group, items: min(slots, content.itemCount - next))
            try hang(group, groups: groupFrames.count - 1..<groupFrames.count, firstItem: next, of: content)
            next += slots
        }
    }
}

extension GroupSolver {
    mutating func estimate(_ item: LayoutItem, in container: PointSize, _ demand: SizeProposal) throws(LayoutError) -> SolvedGroup {
        nextItem = measurements.count
        return try group(item, in: container, demand)
    }

    mutating func group(
        showing first: Int, _ item: LayoutItem, _ template: SolvedGroup, in container: PointSize, _ demand: SizeProposal
    ) throws(LayoutError) -> SolvedGroup {
        guard isMeasured(first, template.reach) else { return template }
        nextItem = first
        return try group(item, in: container, demand)
    }

    /// Returns the largest uniform extents of all groups, on the axes on which they differ.
    mutating func largest(
        of item: LayoutItem, _ content: SectionContent, in container: PointSize, _ template: SolvedGroup
    ) throws(LayoutError) -> SizeProposal.Uniform? {
        guard item.size.width.isUniform || item.size.height.isUniform else { return nil }
        var siblings = UniformSiblings()
        var next = 0
        while next < content.itemCount {
            let group = try group(showing: next, item, template, in: container, .none)
            siblings.add(group.size, of: item.size)
            next += group.cells.count
        }
        return siblings.imposed
    }

    private mutating func group(_ item: LayoutItem, in container: PointSize, _ demand: SizeProposal) throws(LayoutError) -> SolvedGroup {
        solved.removeAll()
        path.removeAll(keepingCapacity: true)
        let first = nextItem
        requestedItems = first
        solved.size = try solve(item, in: container, demand)
        solved.reach = requestedItems - first
        return solved
    }

    private func isMeasured(_ first: Int, _ count: Int) -> Bool {
        guard first < measurements.count else { return false }
        return measurements[first..<min(first + count, measurements.count)].contains(where: { $0.isKnown })
    }
}

extension GroupRun {
    /// Copies one solved group until all items are placed. The last group keeps its full extent.
    mutating func stamp(_ group: SolvedGroup, items count: Int) {
        let (slots, first, size) = (group.cells.count, frames.count, group.size)
        let cells = group.cells.span
        // Local arrays, because appending through `self` takes half as long again.
        var (frames, groupFrames) = (self.frames, self.groupFrames)
        (self.frames, self.groupFrames) = ([], [])
        var left = count
        while left > 0 {
            let corner = advance(size)
            groupFrames.append(Rectangle(x: corner.x, y: corner.y, size))
            for slot in 0..<min(slots, left) { frames.append(cells[slot].moved(x: corner.x, y: corner.y)) }
            left -= slots
        }
        (self.frames, self.groupFrames) = (frames, groupFrames)
        // After the first group with z-indexes, every item has one.
        if !group.zIndexes.isEmpty || !zIndexes.isEmpty {
            while zIndexes.count < first { zIndexes.append(0) }
            for item in 0..<count { zIndexes.append(group.zIndexes.isEmpty ? 0 : group.zIndexes[item % slots]) }
        }
    }

    /// Adds the supplementaries of the last groups. The first of these groups starts with `firstItem`.
    mutating func hang(_ group: SolvedGroup, groups: Range<Int>, firstItem: Int, of content: SectionContent) throws(LayoutError) {
        guard !group.hooks.isEmpty else { return }
        for index in groups {
            let first = firstItem + (index - groups.lowerBound) * group.cells.count
            for hook in group.hooks where first + hook.slot < content.itemCount {
                let item = first + hook.slot
                let frame = hook.frame.moved(x: groupFrames[index].x, y: groupFrames[index].y)
                for supplementary in hook.supplementaries where supplementary.occurrence.includes(item: item, isNew: content.isNew(item)) {
                    supplementaries.append(SolvedSupplementary(supplementary, of: item, on: frame))
                }
                // Skipped supplementaries cost time as well.
                try budget.consumeParts(hook.supplementaries.count)
            }
        }
    }
}

extension SectionContent {
    fileprivate func isNew(_ item: Int) -> Bool { item < newItems.count && newItems[item] }
}
