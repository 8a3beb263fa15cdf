/// A row or column with at least one child. Groups nest at most `greatestDepth` deep.
package struct LayoutGroup: Sendable, Hashable {
    package static let greatestDepth = 8
    package static let maxSubitems = 32

    package let axis: Axis
    package let subitems: [LayoutItem]
    package let fill: Fill
    package let interItemSpacing: Spacing
    /// The nesting depth, which is 1 for a group of cells.
    package let depth: Int
    /// Whether a child's extent depends on those of its siblings.
    let hasUniformSubitems: Bool
    /// Whether a gap or the edge spacing of a child is flexible.
    let hasFlexibleSpacing: Bool

    package init(
        _ axis: Axis, subitems: [LayoutItem], fill: Fill = .repeat, interItemSpacing: Spacing = .zero
    ) throws(LayoutError) {
        guard !subitems.isEmpty else { throw LayoutError(.emptyGroup) }
        guard subitems.count <= fill.maxSubitems else { throw LayoutError(fill.surplus) }
        self.init(unchecked: axis, subitems, fill, interItemSpacing)
        guard depth <= Self.greatestDepth else { throw LayoutError(.tooDeep) }
    }

    /// Creates a group with one kind of child, for layouts in code.
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

/// A group of cells with explicit frames, from one to `maxFrames`.
package struct CustomGroup: Sendable, Hashable {
    /// A frame in points from the group's inset origin.
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

/// The rule by which a group derives its children from its list.
package enum Fill: Sendable, Hashable {
    /// Repeats the list as long as the next child fits.
    case `repeat`
    /// Copies the only child. The copies share the group's extent equally.
    case equal(RepeatCount)
    /// Copies the only child at its own size.
    case times(RepeatCount)

    /// The maximum number of children that a group may list.
    package var maxSubitems: Int {
        switch self {
        case .repeat: LayoutGroup.maxSubitems
        case .equal, .times: 1
        }
    }

    /// The error of a group that lists more children.
    var surplus: LayoutError.Code {
        switch self {
        case .repeat: .tooManySubitems
        case .equal, .times: .oneSubitem
        }
    }

    /// A positive number of copies. The solver checks whether it results in too many slots.
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
