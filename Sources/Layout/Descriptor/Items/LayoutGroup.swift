/// Children in a row or in a column. There is at least one, and groups hold each other at most `greatestDepth` deep.
package struct LayoutGroup: Sendable, Hashable {
    package static let greatestDepth = 8
    package static let mostSubitems = 32

    package let axis: Axis
    package let subitems: [LayoutItem]
    package let fill: Fill
    package let interItemSpacing: Spacing
    /// 1 for a group of cells.
    package let depth: Int

    package init(
        _ axis: Axis, subitems: [LayoutItem], fill: Fill = .repeat, interItemSpacing: Spacing = .zero
    ) throws(LayoutError) {
        let depth = 1 + subitems.reduce(0) { max($0, $1.depth) }
        guard !subitems.isEmpty else { throw LayoutError(.emptyGroup) }
        guard subitems.count <= Self.mostSubitems else { throw LayoutError(.tooManySubitems) }
        guard depth <= Self.greatestDepth else { throw LayoutError(.tooDeep) }
        self.axis = axis
        self.subitems = subitems
        self.fill = fill
        self.interItemSpacing = interItemSpacing
        self.depth = depth
    }

    /// A row or a column of one kind of child, for layouts that are written in the program.
    package init(_ axis: Axis, of subitem: LayoutItem, fill: Fill = .repeat, interItemSpacing: Spacing = .zero) {
        precondition(subitem.depth < Self.greatestDepth)
        self.axis = axis
        self.subitems = [subitem]
        self.fill = fill
        self.interItemSpacing = interItemSpacing
        depth = 1 + subitem.depth
    }
}
