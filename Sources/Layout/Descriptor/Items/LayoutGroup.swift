/// Children in a row or in a column. There is at least one, and groups hold each other at most `greatestDepth` deep.
package struct LayoutGroup: Sendable, Hashable {
    package static let greatestDepth = 8
    package static let maxSubitems = 32

    package let axis: Axis
    package let subitems: [LayoutItem]
    package let fill: Fill
    package let interItemSpacing: Spacing
    /// 1 for a group of cells.
    package let depth: Int
    /// Whether a child's extent depends on those of its siblings.
    let hasUniformSubitems: Bool
    /// Whether a gap or the edge of a child grows.
    let hasFlexibleSpacing: Bool

    package init(
        _ axis: Axis, subitems: [LayoutItem], fill: Fill = .repeat, interItemSpacing: Spacing = .zero
    ) throws(LayoutError) {
        guard !subitems.isEmpty else { throw LayoutError(.emptyGroup) }
        guard subitems.count <= fill.maxSubitems else { throw LayoutError(.tooManySubitems) }
        self.init(unchecked: axis, subitems, fill, interItemSpacing)
        guard depth <= Self.greatestDepth else { throw LayoutError(.tooDeep) }
    }

    /// A row or a column of one kind of child, for layouts that are written in the program.
    package init(_ axis: Axis, of subitem: LayoutItem, fill: Fill = .repeat, interItemSpacing: Spacing = .zero) {
        self.init(unchecked: axis, [subitem], fill, interItemSpacing)
        precondition(depth <= Self.greatestDepth)
    }

    private init(unchecked axis: Axis, _ subitems: [LayoutItem], _ fill: Fill, _ interItemSpacing: Spacing) {
        self.axis = axis
        self.subitems = subitems
        self.fill = fill
        self.interItemSpacing = interItemSpacing
        depth = 1 + subitems.reduce(0) { max($0, $1.depth) }
        hasUniformSubitems = subitems.contains { $0.size.width.isUniform || $0.size.height.isUniform }
        hasFlexibleSpacing =
            interItemSpacing.isFlexible
            || subitems.contains {
                let edges = $0.edgeSpacing
                return edges.top.isFlexible || edges.leading.isFlexible || edges.bottom.isFlexible || edges.trailing.isFlexible
            }
    }
}

/// Cells at places of their own, from one to `maxFrames`.
package struct CustomGroup: Sendable, Hashable {
    /// In points from the group's inset origin.
    package struct Frame: Sendable, Hashable {
        package var origin: Offset
        package var width: Magnitude
        package var height: Magnitude
        package var zIndex: Int

        package init(x: Coordinate, y: Coordinate, width: Magnitude, height: Magnitude, zIndex: Int = 0) {
            origin = Offset(x: x, y: y)
            self.width = width
            self.height = height
            self.zIndex = zIndex
        }
    }

    package static let maxFrames = 512

    package let frames: [Frame]

    package init(frames: [Frame]) throws(LayoutError) {
        guard !frames.isEmpty else { throw LayoutError(.emptyGroup) }
        guard frames.count <= Self.maxFrames else { throw LayoutError(.tooManySlots) }
        self.frames = frames
    }
}

/// How a group's list of children becomes its children.
package enum Fill: Sendable, Hashable {
    /// The list over and over, as long as the next child fits.
    case `repeat`
    /// Copies of the only child that share the group's extent equally.
    case equal(RepeatCount)
    /// Copies of the only child at their own size.
    case times(RepeatCount)

    /// The maximum number of children that a group may list.
    package var maxSubitems: Int {
        switch self {
        case .repeat: LayoutGroup.maxSubitems
        case .equal, .times: 1
        }
    }

    /// A number of copies, at least one; whether the slots are too many is known when they are solved.
    package struct RepeatCount: Sendable, Hashable {
        package let count: Int

        package init?(_ count: Int) {
            guard count >= 1 else { return nil }
            self.count = count
        }
    }
}

extension Fill.RepeatCount: ExpressibleByIntegerLiteral {
    package init(integerLiteral count: Int) {
        precondition(count >= 1)
        self.count = count
    }
}
