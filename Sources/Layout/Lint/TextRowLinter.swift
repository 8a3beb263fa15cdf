/// Finds rows that are too low for large text and do not grow with it.
struct TextRowLinter {
    /// The height in points from which a fixed row has room for large text.
    private static let sufficient = 120.0

    private let section: LayoutSection

    init(_ section: LayoutSection) {
        self.section = section
    }

    func run(_ collector: inout FindingCollector) {
        switch section.content {
        case .list(let list):
            guard case .absolute(let height) = list.rowHeight else { return }
            note(height.value, at: [.member("list"), .member("rowHeight")], &collector)
        case .group(let item): inspect(item, at: [], fixed: nil, in: nil, &collector)
        }
    }

    /// A fixed height of a container, and the path to the item that states it in points.
    private struct FixedHeight {
        let points: Double
        let origin: [Int]
    }

    /// Inspects an item. `fixed` is a height that a group imposes, and `container` that of the group inside its insets.
    private func inspect(
        _ item: LayoutItem, at path: [Int], fixed imposed: FixedHeight?, in container: FixedHeight?, _ collector: inout FindingCollector
    ) {
        guard let height = imposed ?? fixedHeight(of: item, at: path, in: container) else {
            if case .group(let group) = item.content { inspectSubitems(of: group, at: path, in: nil, &collector) }
            return
        }
        switch item.content {
        case .cell: note(height.points, at: .group(height.origin) + [.member("size"), .member("height")], &collector)
        case .custom: break
        case .group(let group):
            let insets = item.contentInsets.start(.vertical) + item.contentInsets.end(.vertical)
            inspectSubitems(
                of: group, at: path, in: FixedHeight(points: max(0, height.points - insets), origin: height.origin), &collector)
        }
    }

    private func inspectSubitems(
        of group: LayoutGroup, at path: [Int], in container: FixedHeight?, _ collector: inout FindingCollector
    ) {
        var share: FixedHeight?
        if case .equal(let copies) = group.fill, group.axis == .vertical, let container {
            let gaps = group.interItemSpacing.minimum * Double(copies.count - 1)
            share = FixedHeight(points: (container.points - gaps) / Double(copies.count), origin: container.origin)
        }
        for (index, subitem) in group.subitems.enumerated() {
            inspect(subitem, at: path + [index], fixed: share, in: container, &collector)
        }
    }

    /// Returns the height if it is the same on every screen and at every text size.
    private func fixedHeight(of item: LayoutItem, at path: [Int], in container: FixedHeight?) -> FixedHeight? {
        switch item.size.height {
        case .absolute(let points): FixedHeight(points: points.value, origin: path)
        case .fractionalHeight(let fraction):
            container.map { FixedHeight(points: $0.points * fraction.value, origin: $0.origin) }
        case .fractionalWidth, .estimated, .uniformAcrossSiblings: nil
        }
    }

    private func note(_ height: Double, at steps: [FindingCollector.Step], _ collector: inout FindingCollector) {
        guard height > 0, height < Self.sufficient else { return }
        collector.note(
            .fixedTextRow, at: steps,
            "A row is \(height.short) points high at every text size, so large text is cut off.")
    }
}
