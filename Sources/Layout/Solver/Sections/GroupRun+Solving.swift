extension GroupRun {
    /// Solves a group and repeats it for as long as nothing was measured; where something was, one group after another.
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
    /// A group of which nothing was measured.
    mutating func estimate(_ item: LayoutItem, in container: PointSize, _ demand: SizeProposal) throws(LayoutError) -> SolvedGroup {
        nextItem = measurements.count
        return try group(item, in: container, demand)
    }

    /// The group whose first cell shows an item.
    mutating func group(
        showing first: Int, _ item: LayoutItem, _ template: SolvedGroup, in container: PointSize, _ demand: SizeProposal
    ) throws(LayoutError) -> SolvedGroup {
        guard isMeasured(first, template.reach) else { return template }
        nextItem = first
        return try group(item, in: container, demand)
    }

    /// The largest uniform extents of all groups, on the axes on which they differ.
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
        askedItems = first
        solved.size = try solve(item, in: container, demand)
        solved.reach = askedItems - first
        return solved
    }

    private func isMeasured(_ first: Int, _ count: Int) -> Bool {
        guard first < measurements.count else { return false }
        return measurements[first..<min(first + count, measurements.count)].contains(where: { $0.isKnown })
    }
}
