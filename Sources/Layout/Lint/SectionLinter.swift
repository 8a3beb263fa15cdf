struct SectionLinter {
    private let section: LayoutSection
    private let solved: SolvedSection
    private let tolerance: Double
    private let scale: Scale
    private let itemCount: Int

    init(of section: LayoutSection, _ solved: SolvedSection, in environment: LayoutEnvironment, _ itemCount: Int) {
        self.section = section
        self.solved = solved
        self.itemCount = itemCount
        scale = environment.scale
        tolerance = scale.halfPixel
    }

    func run(_ collector: inout FindingCollector) {
        checkWideBoundaryItems(&collector)
        checkZeroExtent(&collector)
        guard case .group(let group) = section.content else { return }
        checkWidth(of: group, &collector)
        checkDrift(&collector)
        checkEmptyTail(&collector)
        group.noteFractionsOfEstimates(at: [], &collector)
        guard let frame = solved.groupFrames.first else { return }
        GroupLinter(group, size: frame.size, scale: scale).run(&collector)
    }

    private func checkWidth(of group: LayoutItem, _ collector: inout FindingCollector) {
        let across = solved.axis.other
        guard solved.scroller == nil, let extent = solved.groupFrames.first?.size[across] else { return }
        let (used, room) = (extent + group.edgeSpacing.minimum(across), solved.roomAcross)
        guard used > room + tolerance else { return }
        collector.note(
            .crossOverflow, at: .group([]), "The group takes \(used.short) points and overflows the \(room.short) that are available.")
    }

    private func checkWideBoundaryItems(_ collector: inout FindingCollector) {
        let across = solved.scroller == nil ? solved.axis.other : solved.axis
        let room = solved.frame.size[across]
        for (index, item) in solved.boundaryItems.enumerated() where item.frame.size[across] > room + tolerance {
            collector.note(
                .crossOverflow, at: [.member("boundarySupplementaryItems"), .index(index)],
                "The header or footer takes \(item.frame.size[across].short) points and overflows the \(room.short) that are available.")
        }
    }

    /// Checks for rows or groups that all overlap each other.
    private func checkZeroExtent(_ collector: inout FindingCollector) {
        guard let extent = solved.groupFrames.first?.size[solved.axis] else { return }
        let path: [FindingCollector.Step]
        let edges: Double
        switch section.content {
        case .group(let group): (path, edges) = (.group([]), group.edgeSpacing.minimum(solved.axis))
        case .list: (path, edges) = ([.member("list"), .member("rowHeight")], 0)
        }
        guard extent + edges + section.interGroupSpacing.value <= 0 else { return }
        collector.note(.zeroExtent, at: path, "The cells have no size and no spacing, so all of them overlap.")
    }

    private func checkDrift(_ collector: inout FindingCollector) {
        guard let scroller = solved.scroller, scroller.behavior == .paging, solved.groupFrames.count > 1 else { return }
        let starts = solved.groupFrames.prefix(2).map { $0.start(scroller.axis) }
        let (pitch, page) = (abs(starts[1] - starts[0]), scroller.viewportExtent)
        guard abs(page - pitch) > tolerance else { return }
        collector.note(
            .pageDrift, at: [.member("orthogonalScrollingBehavior")],
            """
            A swipe moves \(page.short) points, but the groups repeat every \(pitch.short), so each page stops \
            \(abs(page - pitch).short) points further from its group than the page before it.
            """)
    }

    private func checkEmptyTail(_ collector: inout FindingCollector) {
        let slots = solved.slotsPerGroup
        guard slots > 0, solved.firstItems.isEmpty else { return }
        let rest = itemCount % slots
        guard rest > 0, rest * 2 < slots else { return }
        collector.note(
            .emptyTail, at: .group([]), "With \(itemCount) items, the last group shows \(rest) of \(slots) cells and keeps its full size.")
    }
}

extension LayoutItem {
    /// Records fractions of an estimate. They keep their value when a measurement replaces the estimate.
    fileprivate func noteFractionsOfEstimates(at path: [Int], imposed: Axis? = nil, _ collector: inout FindingCollector) {
        guard case .group(let group) = content else { return }
        let shared = axisImposed(on: group, imposed: imposed)
        for (index, child) in group.subitems.enumerated() {
            let way = path + [index]
            for (side, axis) in [("width", Axis.horizontal), ("height", .vertical)]
            where axis != shared && isOpen(whatIsDivided: child.size[axis], imposed: imposed) {
                collector.note(
                    .fractionOfEstimate, at: .group(way) + [.member("size"), .member(side)],
                    "This \(side) is a fraction of an estimate: it does not make its group grow, and it changes after the group is measured."
                )
            }
            child.noteFractionsOfEstimates(at: way, imposed: shared, &collector)
        }
    }

    private func isOpen(whatIsDivided dimension: Dimension, imposed: Axis?) -> Bool {
        switch dimension {
        case .fractionalWidth: isOpen(.horizontal, imposed: imposed)
        case .fractionalHeight: isOpen(.vertical, imposed: imposed)
        case .absolute, .estimated, .uniformAcrossSiblings: false
        }
    }
}

extension Double {
    /// The number with at most one decimal, for a sentence.
    var short: String {
        let tenths = (self * 10).rounded()
        guard tenths.magnitude < 1e15 else { return "\(self)" }
        let whole = Int(tenths)
        return whole % 10 == 0 ? "\(whole / 10)" : "\(whole / 10).\((whole % 10).magnitude)"
    }
}
