/// Which border a boundary item belongs to, seen along the direction of scrolling.
enum BoundarySide {
    /// Before and after the content.
    case start, end
    /// Beside the content, at its leading or top side and at the other.
    case near, far

    /// The border along the scrolling wins where an alignment touches two.
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
