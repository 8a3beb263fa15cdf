extension GroupSolver {
    mutating func solve(
        _ group: LayoutGroup, of item: LayoutItem, in container: PointSize, _ demand: SizeProposal
    ) throws(LayoutError) -> PointSize {
        let (along, across) = (group.axis, group.axis.other)
        var size = extents(of: item, in: container, demand)
        let opens = (along: demand.leavesOpen(along, of: item.size), across: demand.leavesOpen(across, of: item.size))
        let content = try content(of: size, less: item.contentInsets)
        var row = GroupRow(group: group, size: item.size, content: content, opens: opens)
        try fill(&row)
        let insets = item.contentInsets
        if opens.along, demand.points(along, for: item.size[along]) == nil {
            size[along] = row.naturalMain + insets.start(along) + insets.end(along)
        }
        if opens.across, demand.points(across, for: item.size[across]) == nil {
            size[across] = row.naturalCross + insets.start(across) + insets.end(across)
        }
        place(row, in: Rectangle(x: 0, y: 0, size).inset(by: insets))
        return size
    }

    /// Fills the group once, or twice if its uniform children differ.
    private mutating func fill(_ row: inout GroupRow) throws(LayoutError) {
        let (checkpoint, item) = (solved.checkpoint, nextItem)
        try fill(&row, .none)
        guard let uniform = row.uniform else { return }
        solved.rewind(to: checkpoint)
        nextItem = item
        row.children.removeAll(keepingCapacity: true)
        row.used = 0
        try fill(&row, SizeProposal(uniform: uniform))
    }

    private mutating func fill(_ row: inout GroupRow, _ demand: SizeProposal) throws(LayoutError) {
        switch row.group.fill {
        case .repeat where row.opens.along: try addCopies(row.group.subitems.count, to: &row, demand)
        case .repeat: try walk(&row, demand)
        case .equal(let copies) where !row.opens.along: try share(copies.count, in: &row, demand)
        case .equal(let copies), .times(let copies): try addCopies(copies.count, to: &row, demand)
        }
        if row.children.count < row.group.subitems.count { solved.warnings.insert(.droppedSubitem) }
    }

    private mutating func addCopies(_ count: Int, to row: inout GroupRow, _ demand: SizeProposal) throws(LayoutError) {
        guard count <= SolverLimits.slotsPerGroup else { throw LayoutError(.tooManySlots, path: path) }
        row.children.reserveCapacity(count)
        for ordinal in 0..<count { try add(row.subitem(ordinal), to: &row, demand) }
    }

    private mutating func share(_ count: Int, in row: inout GroupRow, _ demand: SizeProposal) throws(LayoutError) {
        guard count <= SolverLimits.slotsPerGroup else { throw LayoutError(.tooManySlots, path: path) }
        let edges = row.group.subitems[0].edgeSpacing.minimum(row.axis) * Double(count)
        let extent = (row.available - row.gap * Double(count - 1) - edges) / Double(count)
        guard extent > 0 else { throw LayoutError(.noRoom, path: path) }
        var demand = demand
        demand.imposed = (row.axis, extent)
        try addCopies(count, to: &row, demand)
    }

    /// Places the list repeatedly, up to the first child that does not fit.
    private mutating func walk(_ row: inout GroupRow, _ demand: SizeProposal) throws(LayoutError) {
        row.children.reserveCapacity(row.group.subitems.count + 4)
        while true {
            let subitem = row.subitem(row.children.count)
            let dimension = row.group.subitems[subitem].size[row.axis]
            let (checkpoint, item, used) = (solved.checkpoint, nextItem, row.used)
            // A child that depends on its content is solved to find out whether it fits. Other sizes are known in
            // advance.
            if dimension.isEstimated {
                let maximum = maxCells
                maxCells = checkpoint.cells + SolverLimits.slotsPerGroup
                try add(subitem, to: &row, demand)
                maxCells = maximum
                if row.used <= row.available + tolerance {
                    guard solved.cells.count <= maximum else { throw LayoutError(.tooManySlots, path: path + [subitem]) }
                    continue
                }
                row.children.removeLast()
                row.used = used
                solved.rewind(to: checkpoint)
                nextItem = item
            } else {
                let extent = dimension.points(in: row.content)
                if row.used + row.need(subitem, extent) <= row.available + tolerance {
                    try add(subitem, to: &row, demand)
                    continue
                }
            }
            if row.children.isEmpty { try clamp(subitem, in: &row, demand) }
            return
        }
    }

    private mutating func clamp(_ subitem: Int, in row: inout GroupRow, _ demand: SizeProposal) throws(LayoutError) {
        let room = row.available - row.need(subitem, 0)
        guard room > 0 else { throw LayoutError(.noRoom, path: path + [subitem]) }
        var demand = demand
        demand.imposed = (row.axis, room)
        try add(subitem, to: &row, demand)
        solved.warnings.insert(.clamped)
    }

    private mutating func add(_ subitem: Int, to row: inout GroupRow, _ demand: SizeProposal) throws(LayoutError) {
        let checkpoint = solved.checkpoint
        path.append(subitem)
        let size = try solve(row.group.subitems[subitem], in: row.content, demand)
        let need = row.need(subitem, size[row.axis])
        // An unlimited number of children would fit, with neither extent nor gap.
        guard row.gap > 0 || need > 0 else { throw LayoutError(.zeroExtent, path: path) }
        path.removeLast()
        let child = GroupRow.Child(
            subitem: subitem, size: size, cells: checkpoint.cells..<solved.cells.count, hooks: checkpoint.hooks..<solved.hooks.count)
        row.children.append(child)
        row.used += need
    }

    /// Moves the children from the origin to their positions and distributes the remaining space.
    private mutating func place(_ row: GroupRow, in content: Rectangle) {
        let (along, across) = (row.axis, row.axis.other)
        let flexible = row.flexibleCount
        let share = flexible == 0 ? 0 : max(0, content.size[along] - row.used) / Double(flexible)
        func extent(_ spacing: Spacing) -> Double { spacing.minimum + (spacing.isFlexible ? share : 0) }
        var position = content.start(along)
        for (ordinal, child) in row.children.enumerated() {
            let edges = row.spacing(of: child)
            if ordinal > 0 { position += extent(row.group.interItemSpacing) }
            position += extent(edges.start(along))
            let origin = PointSize(along: along, position, across: content.start(across) + edges.start(across).minimum)
            solved.move(child.cells, child.hooks, x: origin.width, y: origin.height)
            position += child.size[along] + extent(edges.end(along))
            if edges.minimum(across) + child.size[across] > content.size[across] + tolerance { solved.warnings.insert(.crossOverflow) }
        }
        if row.used > content.size[along] + tolerance { solved.warnings.insert(.overflow) }
    }
}
