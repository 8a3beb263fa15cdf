/// A header, a footer or something at the side of a section or of the whole page.
package struct BoundaryItem: Sendable, Hashable {
    package var elementKind: Name
    package var size: LayoutSize
    package var alignment: Alignment
    package var offset: Offset
    /// Whether room is made for it; otherwise it lies over the content.
    package var extendsBoundary: Bool
    package var pinToVisibleBounds: Bool
    package var contentInsets: Insets
    package var zIndex: Int

    package init(
        elementKind: Name, size: LayoutSize, alignment: Alignment, offset: Offset = .zero, extendsBoundary: Bool = true,
        pinToVisibleBounds: Bool = false, contentInsets: Insets = .zero, zIndex: Int = 1
    ) {
        self.elementKind = elementKind
        self.size = size
        self.alignment = alignment
        self.offset = offset
        self.extendsBoundary = extendsBoundary
        self.pinToVisibleBounds = pinToVisibleBounds
        self.contentInsets = contentInsets
        self.zIndex = zIndex
    }
}

/// Where along the border of a section or a page a boundary item sits.
package enum Alignment: Sendable, Hashable {
    case top, topLeading, topTrailing
    case bottom, bottomLeading, bottomTrailing
    case leading, trailing

    /// The edges that a boundary item touches; it is centred on an axis without one.
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
