/// A point of a rectangle, and how far from it something is hung.
package struct Anchor: Sendable, Hashable {
    package enum Displacement: Sendable, Hashable {
        case absolute(Offset)
        /// In parts of the supplementary's own size.
        case fractional(Offset)
    }

    /// Which edges the point lies on; on an axis without an edge, or with both, it is the centre.
    package var edges: Edges
    package var offset: Displacement

    package init(edges: Edges, offset: Displacement = .absolute(.zero)) {
        self.edges = edges
        self.offset = offset
    }
}
