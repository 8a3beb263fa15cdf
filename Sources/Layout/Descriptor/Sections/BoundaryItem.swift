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
    /// Whether a top item of the page's first section becomes higher while the page is pulled down.
    package var stretchyHeader = false
}

extension Name {
    /// The kinds of boundary items whose sizes a client measures.
    static let header: Name = "header"
    static let footer: Name = "footer"
    /// The kind of the boundary item that shows the current page of a scroller.
    package static let pageIndicator: Name = "pageIndicator"
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
