/// The extents of siblings on the axes where theirs are uniform.
struct UniformSiblings {
    private var smallest = SizeProposal.Uniform()
    private var largest = SizeProposal.Uniform()

    /// Adds a sibling, on the axes on which its dimension is uniform.
    mutating func add(_ extents: PointSize, of size: LayoutSize) {
        for axis in [Axis.horizontal, .vertical] where size[axis].isUniform {
            smallest[axis] = min(smallest[axis] ?? extents[axis], extents[axis])
            largest[axis] = max(largest[axis] ?? extents[axis], extents[axis])
        }
    }

    /// The largest extent on each axis on which the siblings differ; nil if they agree on all.
    ///
    /// An axis on which they agree stays open. Imposed, fractions of the estimate would become fractions of the imposed extent.
    var imposed: SizeProposal.Uniform? {
        var imposed = largest
        for axis in [Axis.horizontal, .vertical] where smallest[axis] == largest[axis] { imposed[axis] = nil }
        return imposed == SizeProposal.Uniform() ? nil : imposed
    }
}
