/// The state of a group that is being filled: its room and the children that are already placed.
struct GroupRow {
    /// One child and its part of the solution.
    struct Child {
        let subitem: Int
        let size: PointSize
        let cells: Range<Int>
        let hooks: Range<Int>
    }

    let group: LayoutGroup
    /// The group's own dimensions, which determine the fractions of its children.
    let size: LayoutSize
    /// The size inside the group's insets. On an open axis it is based on the estimate.
    let content: PointSize
    /// Whether the extent along the axis and the one across it depend on the children.
    let opens: (along: Bool, across: Bool)
    var children: [Child] = []
    /// The used extent along the axis, with flexible spacing at its minimum.
    var used = 0.0

    var axis: Axis { group.axis }
    var gap: Double { group.interItemSpacing.minimum }
    var available: Double { content[axis] }

    func subitem(_ ordinal: Int) -> Int { ordinal % group.subitems.count }

    func spacing(of child: Child) -> EdgeSpacing { group.subitems[child.subitem].edgeSpacing }

    func need(_ subitem: Int, _ extent: Double) -> Double {
        (children.isEmpty ? 0 : gap) + group.subitems[subitem].edgeSpacing.minimum(axis) + extent
    }

    var flexibleCount: Int {
        guard group.hasFlexibleSpacing else { return 0 }
        let gaps = group.interItemSpacing.isFlexible ? max(0, children.count - 1) : 0
        return children.reduce(gaps) { count, child in
            let edges = spacing(of: child)
            return count + (edges.start(axis).isFlexible ? 1 : 0) + (edges.end(axis).isFlexible ? 1 : 0)
        }
    }

    /// The sum of the children. Fractions of the estimate count at most up to the estimate.
    var naturalMain: Double {
        var fractions = 0.0
        for child in children where group.subitems[child.subitem].size[axis].isFraction(ofEstimated: size) {
            fractions += child.size[axis]
        }
        return used - fractions + min(fractions, available)
    }

    /// The largest child. Fractions of the estimate count at most up to the estimate.
    var naturalCross: Double {
        let across = axis.other
        return children.reduce(0) { largest, child in
            let isFraction = group.subitems[child.subitem].size[across].isFraction(ofEstimated: size)
            let extent = isFraction ? min(child.size[across], content[across]) : child.size[across]
            return max(largest, extent + spacing(of: child).minimum(across))
        }
    }

    /// The largest uniform extent on each axis on which the children differ, or nil if they agree.
    var uniform: SizeProposal.Uniform? {
        guard group.hasUniformSubitems else { return nil }
        var siblings = UniformSiblings()
        for child in children { siblings.add(child.size, of: group.subitems[child.subitem].size) }
        return siblings.imposed
    }
}
