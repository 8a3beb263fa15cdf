/// A header, a footer or an item at the side, at its position without pinning.
package struct SolvedBoundaryItem: Sendable, Equatable {
    /// The end of the section at which the item stays visible.
    package enum Pin: Sendable { case none, start, end }

    package let elementKind: Name
    package var frame: Rectangle
    package let zIndex: Int
    package var pin: Pin

    /// Creates a solved item. Its size resolves in `basis`, in which it is also aligned across the scrolling direction.
    /// `extent` is the section's range along that direction.
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

    /// Returns the frame while a part of the page is visible. It never leaves its section.
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

/// The border to which a boundary item belongs, relative to the scrolling direction.
enum BoundarySide {
    /// The borders before and after the content.
    case start, end
    /// The leading or top border next to the content, and the opposite one.
    case near, far

    /// Chooses a border. If an alignment touches two, the one along the scrolling direction wins.
    init(_ alignment: Alignment, scrolling axis: Axis) {
        let edges = alignment.edges
        let (start, end): (Edges, Edges) = axis == .vertical ? (.top, .bottom) : (.leading, .trailing)
        if edges.contains(start) {
            self = .start
        } else if edges.contains(end) {
            self = .end
        } else {
            self = edges.contains(axis == .vertical ? .leading : .top) ? .near : .far
        }
    }
}

package struct SolvedDecoration: Sendable, Equatable {
    package let elementKind: Name
    package var frame: Rectangle
    package let zIndex: Int

    init(_ decoration: DecorationItem, in section: Rectangle) {
        elementKind = decoration.elementKind
        frame = section.inset(by: decoration.contentInsets)
        zIndex = decoration.zIndex
    }
}

/// The space that boundary items take on each side of the content. The items of one side share a band; they are not
/// stacked.
struct Bands {
    var start = 0.0
    var end = 0.0
    var near = 0.0
    var far = 0.0

    /// Computes the bands. Sizes resolve in `basis`.
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
