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

extension LayoutSection {
    /// The boundary items, including the header and the footer that the modes of a list add.
    package var boundaryItems: [BoundaryItem] {
        guard case .list(let list) = content else { return boundarySupplementaryItems }
        func has(_ kind: Name) -> Bool { boundarySupplementaryItems.contains { $0.elementKind == kind } }
        var items = boundarySupplementaryItems
        if list.headerMode == .supplementary, !has(.header) { items.append(.ofList(.header, .top)) }
        if list.footerMode == .supplementary, !has(.footer) { items.append(.ofList(.footer, .bottom)) }
        return items
    }
}

extension BoundaryItem {
    fileprivate static func ofList(_ kind: Name, _ alignment: Alignment) -> BoundaryItem {
        BoundaryItem(
            elementKind: kind, size: LayoutSize(width: .fractionalWidth(.whole), height: .estimated(44)), alignment: alignment)
    }
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
