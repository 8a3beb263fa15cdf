/// A header, a footer or an item at the side of a section or of the whole page.
package struct BoundaryItem: Sendable, Hashable {
    package var elementKind: Name
    package var size: LayoutSize
    package var alignment: Alignment
    package var offset: Offset = .zero
    /// Whether the item takes space; otherwise it overlays the content.
    package var extendsBoundary = true
    package var pinToVisibleBounds = false
    package var contentInsets: Insets = .zero
    package var zIndex = 1
}

/// The position of a boundary item on the border of a section or a page.
package enum Alignment: String, CaseIterable, Sendable {
    case top, topLeading, topTrailing
    case bottom, bottomLeading, bottomTrailing
    case leading, trailing

    /// The edges that a boundary item touches. It is centered on an axis without one.
    package var edges: Edges {
        switch self {
        case .top: .top
        case .topLeading: [.top, .leading]
        case .topTrailing: [.top, .trailing]
        case .bottom: .bottom
        case .bottomLeading: [.bottom, .leading]
        case .bottomTrailing: [.bottom, .trailing]
        case .leading: .leading
        case .trailing: .trailing
        }
    }
}
