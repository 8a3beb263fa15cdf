/// The extents that a container imposes on a child in place of the child's own dimensions.
struct SizeProposal {
    /// The extent that replaces any dimension on an axis: an equal share, or all available room.
    var imposed: (axis: Axis, points: Double)?
    /// The largest extent of the siblings, on an axis with a uniform dimension.
    var uniform = Uniform()

    static let none = SizeProposal()

    struct Uniform: Equatable {
        var width: Double?
        var height: Double?

        subscript(axis: Axis) -> Double? {
            get { axis == .horizontal ? width : height }
            set { if axis == .horizontal { width = newValue } else { height = newValue } }
        }
    }

    func isImposed(_ axis: Axis) -> Bool { imposed?.axis == axis }

    func leavesOpen(_ axis: Axis, of size: LayoutSize) -> Bool {
        size[axis].isEstimated && !isImposed(axis)
    }

    func points(_ axis: Axis, for dimension: Dimension) -> Double? {
        if let imposed, imposed.axis == axis { return imposed.points }
        return dimension.isUniform ? uniform[axis] : nil
    }
}

/// The extents of siblings on the axes on which their dimensions are uniform.
struct UniformSiblings {
    private var smallest = SizeProposal.Uniform()
    private var largest = SizeProposal.Uniform()

    mutating func add(_ extents: PointSize, of size: LayoutSize) {
        for axis in [Axis.horizontal, .vertical] where size[axis].isUniform {
            smallest[axis] = min(smallest[axis] ?? extents[axis], extents[axis])
            largest[axis] = max(largest[axis] ?? extents[axis], extents[axis])
        }
    }

    /// The largest extent on each axis on which the siblings differ, or nil if they agree on all.
    ///
    /// An axis on which they agree stays open. If it were imposed, fractions of the estimate would become fractions of
    /// the imposed extent.
    var imposed: SizeProposal.Uniform? {
        var imposed = largest
        for axis in [Axis.horizontal, .vertical] where smallest[axis] == largest[axis] { imposed[axis] = nil }
        return imposed == SizeProposal.Uniform() ? nil : imposed
    }
}
