/// Checks each group separately, at its size on a screen and with plain cells as children. All findings are therefore
/// about the group itself.
struct GroupLinter {
    private let item: LayoutItem
    private let size: PointSize
    private let scale: Scale
    private let path: [Int]
    private let imposed: Axis?

    init(_ item: LayoutItem, size: PointSize, scale: Scale, path: [Int] = [], imposed: Axis? = nil) {
        self.imposed = imposed
        self.item = item
        self.size = size
        self.scale = scale
        self.path = path
    }

    func run(_ collector: inout FindingCollector) {
        switch item.content {
        case .cell: checkRoom(&collector)
        case .custom(let custom): checkStrayFrame(in: custom, &collector)
        case .group(let group): inspect(group, &collector)
        }
    }

    /// Checks the insets of a cell. An estimated side has no insets.
    private func checkRoom(_ collector: inout FindingCollector) {
        for axis in [Axis.horizontal, .vertical] where size[axis] > 0 && !item.size[axis].isEstimated {
            let insets = item.contentInsets.start(axis) + item.contentInsets.end(axis)
            guard insets >= size[axis] else { continue }
            collector.note(
                .noRoom, at: .group(path),
                "The insets take up all \(size[axis].short) points of the cell's \(axis == .horizontal ? "width" : "height").")
        }
    }

    private func checkStrayFrame(in custom: CustomGroup, _ collector: inout FindingCollector) {
        let insets = item.contentInsets
        for (index, frame) in custom.frames.enumerated() {
            let (x, y) = (insets.leading.points + frame.origin.x.value, insets.top.points + frame.origin.y.value)
            let beyond = max(-x, -y, x + frame.width.value - size.width, y + frame.height.value - size.height)
            guard beyond > scale.halfPixel else { continue }
            return collector.note(.overflow, at: .group(path), "Frame \(index) extends beyond its group by \(beyond.short) points.")
        }
    }

    private func inspect(_ group: LayoutGroup, _ collector: inout FindingCollector) {
        guard let section = section(probing: group) else { return }
        do throws(LayoutError) {
            // The first solve determines the number of children, the second their frames.
            let solved = try solve(section, itemCount: 1)
            note(solved.warnings, in: group, placed: solved.slotsPerGroup, &collector)
            let children = try solve(section, itemCount: solved.slotsPerGroup).frames
            checkSlack(in: group, children, &collector)
            for (index, subitem) in group.subitems.enumerated() where index < children.count {
                GroupLinter(
                    subitem, size: children[index].size, scale: scale, path: path + [index],
                    imposed: item.axisImposed(on: group, imposed: imposed)
                ).run(&collector)
            }
        } catch {
            // A group that cannot be solved separately has no findings, because the section as a whole was solved.
        }
    }

    private func section(probing group: LayoutGroup) -> LayoutSection? {
        guard let width = Magnitude(size.width), let height = Magnitude(size.height) else { return nil }
        let cells = group.subitems.map { LayoutItem(size: $0.size, edgeSpacing: $0.edgeSpacing) }
        do throws(LayoutError) {
            let plain = try LayoutGroup(group.axis, subitems: cells, fill: group.fill, interItemSpacing: group.interItemSpacing)
            let fixed = LayoutSize(
                width: item.isOpen(.horizontal, imposed: imposed) ? .estimated(width) : .absolute(width),
                height: item.isOpen(.vertical, imposed: imposed) ? .estimated(height) : .absolute(height))
            return LayoutSection(.group(LayoutItem(.group(plain), size: fixed, contentInsets: item.contentInsets)))
        } catch {
            return nil
        }
    }

    private func solve(_ section: LayoutSection, itemCount: Int) throws(LayoutError) -> SolvedSection {
        let environment = LayoutEnvironment(
            width: Magnitude(max(size.width, 1)) ?? 1, height: Magnitude(max(size.height, 1)) ?? 1, scale: scale)
        return try SolvedPage(solving: [SectionContent(layout: section, itemCount: itemCount)], in: environment).sections[0]
    }

    private func note(_ warnings: SolverWarnings, in group: LayoutGroup, placed: Int, _ collector: inout FindingCollector) {
        guard !warnings.isEmpty else { return }
        let side = group.axis == .horizontal ? "wide" : "high"
        let across = group.axis == .horizontal ? "higher" : "wider"
        if warnings.contains(.droppedSubitem) {
            collector.note(
                .droppedSubitem, at: .group(path),
                "Only \(placed) of the \(group.subitems.count) subitems fit; the others are never shown.")
        }
        if warnings.contains(.clamped) {
            collector.note(
                .clamped, at: .group(path), "The first subitem is reduced to the available room, \(size[group.axis].short) points \(side).")
        }
        if warnings.contains(.overflow) {
            collector.note(
                .overflow, at: .group(path),
                "The subitems together are more than \(size[group.axis].short) points \(side) and overflow their group.")
        }
        if warnings.contains(.crossOverflow) {
            collector.note(
                .crossOverflow, at: .group(path),
                "A subitem is \(across) than the \(size[group.axis.other].short) points of its group and overflows the group.")
        }
    }

    private func checkSlack(in group: LayoutGroup, _ children: ContiguousArray<Rectangle>, _ collector: inout FindingCollector) {
        let axis = group.axis
        let available = size[axis] - item.contentInsets.start(axis) - item.contentInsets.end(axis)
        guard !item.isOpen(axis, imposed: imposed), !group.canGrow, available > 0, let first = children.first, let last = children.last
        else {
            return
        }
        let edges =
            group.subitems[0].edgeSpacing.start(axis).minimum
            + group.subitems[(children.count - 1) % group.subitems.count].edgeSpacing.end(axis).minimum
        let unused = available - (last.end(axis) - first.start(axis) + edges)
        guard unused / available > 0.005 else { return }
        collector.note(
            .slack, at: .group(path),
            "\((unused / available * 100).short) % of the \(axis == .horizontal ? "width" : "height"), \(unused.short) points, "
                + "remain empty after the last subitem.")
    }
}

extension LayoutGroup {
    fileprivate var canGrow: Bool {
        interItemSpacing.isFlexible || subitems.contains { $0.edgeSpacing.start(axis).isFlexible || $0.edgeSpacing.end(axis).isFlexible }
    }
}
