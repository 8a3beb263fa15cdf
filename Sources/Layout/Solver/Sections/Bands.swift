/// How much boundary items take on each side of the content: the items of one side share a band, they are not stacked.
struct Bands {
    var start = 0.0
    var end = 0.0
    var near = 0.0
    var far = 0.0

    /// Sizes resolve in `basis`.
    init(_ items: [BoundaryItem], in basis: PointSize, scrolling axis: Axis) {
        for item in items where item.extendsBoundary {
            let size = item.size.extents(in: basis)
            switch BoundarySide(item.alignment, scrolling: axis) {
            case .start: start = max(start, size[axis])
            case .end: end = max(end, size[axis])
            case .near: near = max(near, size[axis.other])
            case .far: far = max(far, size[axis.other])
            }
        }
    }
}
