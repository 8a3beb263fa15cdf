/// A header, a footer or something at the side where it lies while nothing is pinned.
package struct SolvedBoundaryItem: Sendable, Equatable {
    /// Which end of its section it stays within sight of.
    package enum Pin: Sendable { case none, start, end }

    package let elementKind: Name
    package var frame: Rectangle
    package let zIndex: Int
    package var pin: Pin

    /// Sizes resolve in the basis, in which it is also aligned across the scrolling; the extent is that of the section along it.
    init(_ item: BoundaryItem, in basis: Rectangle, along extent: ClosedRange<Double>, scrolling axis: Axis) {
        elementKind = item.elementKind
        zIndex = item.zIndex
        let size = item.size.extents(in: basis.size)
        let whole = Rectangle(
            x: axis == .vertical ? basis.x : extent.lowerBound, y: axis == .vertical ? extent.lowerBound : basis.y,
            PointSize(along: axis, extent.upperBound - extent.lowerBound, across: basis.size[axis.other]))
        let edges = item.alignment.edges
        func place(_ start: Edges, _ end: Edges, _ origin: Double, _ slack: Double) -> Double {
            edges.contains(start) ? origin : edges.contains(end) ? origin + slack : origin + slack / 2
        }
        frame = Rectangle(
            x: place(.leading, .trailing, whole.x, whole.width - size.width) + item.offset.x.value,
            y: place(.top, .bottom, whole.y, whole.height - size.height) + item.offset.y.value, size
        ).inset(by: item.contentInsets.dropping(width: item.size.width.isEstimated, height: item.size.height.isEstimated))
        pin =
            switch BoundarySide(item.alignment, scrolling: axis) {
            case .start where item.pinToVisibleBounds: .start
            case .end where item.pinToVisibleBounds: .end
            default: .none
            }
    }

    /// The frame while a part of the page is visible: never outside of its section.
    func frame(visible: ClosedRange<Double>, section: ClosedRange<Double>, scrolling axis: Axis) -> Rectangle {
        let (natural, length) = (frame.start(axis), frame.size[axis])
        let pinned =
            switch pin {
            case .none: natural
            case .start: min(max(visible.lowerBound, natural), section.upperBound - length)
            case .end: max(min(visible.upperBound - length, natural), section.lowerBound)
            }
        return frame.moved(along: axis, by: pinned - natural)
    }
}
