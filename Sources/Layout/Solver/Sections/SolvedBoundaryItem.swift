/// A header, a footer or an item at the side, at its position without pinning.
package struct SolvedBoundaryItem: Sendable, Equatable {
    /// The end of the section at which the item stays visible.
    package enum Pin: Sendable { case none, start, end }

    package let elementKind: Name
    package var frame: Rectangle
    package let zIndex: Int
    package var pin: Pin
    /// Whether the item becomes higher while its page, of which its section is the first, is pulled down.
    package let isStretchy: Bool

    /// Creates a solved item, which is aligned in `basis` across the scrolling direction. `extent` is the section's range
    /// along that direction.
    init(_ item: BoundaryItem, _ size: PointSize, in basis: Rectangle, along extent: ClosedRange<Double>, scrolling axis: Axis) {
        elementKind = item.elementKind
        zIndex = item.zIndex
        isStretchy = item.stretchyHeader && axis == .vertical && item.alignment.edges.contains(.top)
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

    /// Returns the frame while a part of the page is visible. It leaves its section only to stretch into the area above
    /// the page.
    func frame(visible: ClosedRange<Double>, section: ClosedRange<Double>, scrolling axis: Axis, isFirst: Bool) -> Rectangle {
        let (natural, length) = (frame.start(axis), frame.size[axis])
        let pinned =
            switch pin {
            case .none: natural
            case .start: min(max(visible.lowerBound, natural), section.upperBound - length)
            case .end: max(min(visible.upperBound - length, natural), section.lowerBound)
            }
        var moved = frame.moved(along: axis, by: pinned - natural)
        if isStretchy, isFirst {
            let pulled = max(0, -visible.lowerBound)
            moved.y -= pulled
            moved.height += pulled
        }
        return moved
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
    package let fill: ColorFill?
    package let cornerRadius: Double

    init(_ decoration: DecorationItem, in section: Rectangle) {
        elementKind = decoration.elementKind
        frame = section.inset(by: decoration.contentInsets)
        zIndex = decoration.zIndex
        fill = decoration.fill
        cornerRadius = decoration.cornerRadius.value
    }
}

extension [BoundaryItem] {
    /// Returns the size of each item. Estimates become measurements, and uniform sizes become the largest of them.
    func extents(in basis: PointSize, header: MeasuredSize = .unknown, footer: MeasuredSize = .unknown) -> [PointSize] {
        var sizes = map { item in
            var size = item.size.extents(in: basis)
            let measured = item.elementKind == .header ? header : item.elementKind == .footer ? footer : .unknown
            if item.size.width.isEstimated { size.width = measured.width?.value ?? size.width }
            if item.size.height.isEstimated { size.height = measured.height?.value ?? size.height }
            return size
        }
        var siblings = UniformSiblings()
        for (item, size) in zip(self, sizes) { siblings.add(size, of: item.size) }
        guard let uniform = siblings.imposed else { return sizes }
        for index in indices {
            if self[index].size.width.isUniform { sizes[index].width = uniform.width ?? sizes[index].width }
            if self[index].size.height.isUniform { sizes[index].height = uniform.height ?? sizes[index].height }
        }
        return sizes
    }
}

/// The space that boundary items take on each side of the content. The items of one side share a band; they are not
/// stacked.
struct Bands {
    var start = 0.0
    var end = 0.0
    var near = 0.0
    var far = 0.0

    /// Computes the bands of items with these sizes.
    init(_ items: [BoundaryItem], _ sizes: [PointSize], scrolling axis: Axis) {
        for (item, size) in zip(items, sizes) where item.extendsBoundary {
            switch BoundarySide(item.alignment, scrolling: axis) {
            case .start: start = max(start, size[axis])
            case .end: end = max(end, size[axis])
            case .near: near = max(near, size[axis.other])
            case .far: far = max(far, size[axis.other])
            }
        }
    }
}
