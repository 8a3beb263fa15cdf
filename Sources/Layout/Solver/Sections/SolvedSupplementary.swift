/// A supplementary at its solved position.
package struct SolvedSupplementary: Sendable, Equatable {
    /// The item to which it is attached, or the first item of its group.
    package let item: Int
    package let elementKind: Name
    package var frame: Rectangle
    package let zIndex: Int

    init(_ supplementary: SupplementaryItem, of item: Int, on container: Rectangle) {
        self.item = item
        elementKind = supplementary.elementKind
        zIndex = supplementary.zIndex
        let size = supplementary.size.extents(in: container.size)
        let point = supplementary.containerAnchor.point(in: container.size, movedBySizeOf: size)
        let own =
            supplementary.itemAnchor.map { $0.point(in: size, movedBySizeOf: size) }
            ?? supplementary.containerAnchor.edgePoint(in: size)
        frame = Rectangle(x: container.x + point.width - own.width, y: container.y + point.height - own.height, size)
    }
}

extension Anchor {
    /// Returns the point without the displacement, from the corner of a rectangle of that size.
    fileprivate func edgePoint(in size: PointSize) -> PointSize {
        func part(_ start: Edges, _ end: Edges) -> Double {
            if edges.contains(start) == edges.contains(end) { 0.5 } else { edges.contains(start) ? 0 : 1 }
        }
        return PointSize(width: part(.leading, .trailing) * size.width, height: part(.top, .bottom) * size.height)
    }

    fileprivate func point(in size: PointSize, movedBySizeOf own: PointSize) -> PointSize {
        let point = edgePoint(in: size)
        return switch offset {
        case .absolute(let offset): PointSize(width: point.width + offset.x.value, height: point.height + offset.y.value)
        case .fractional(let offset):
            PointSize(width: point.width + offset.x.value * own.width, height: point.height + offset.y.value * own.height)
        }
    }
}
