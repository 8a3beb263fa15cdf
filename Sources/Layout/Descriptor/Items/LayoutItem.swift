/// A cell, a group of items, or a group whose frames were placed by hand.
package struct LayoutItem: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// Shows one item; a slot tells the client which of the section's cell styles to use.
        case cell(slot: Name?)
        case group(LayoutGroup)
        case custom(CustomGroup)
    }

    package var content: Content
    package var size: LayoutSize
    package var contentInsets: Insets
    package var edgeSpacing: EdgeSpacing
    package var supplementaryItems: [SupplementaryItem]

    package init(
        _ content: Content = .cell(slot: nil), size: LayoutSize, contentInsets: Insets = .zero, edgeSpacing: EdgeSpacing = .zero,
        supplementaryItems: [SupplementaryItem] = []
    ) {
        self.content = content
        self.size = size
        self.contentInsets = contentInsets
        self.edgeSpacing = edgeSpacing
        self.supplementaryItems = supplementaryItems
    }

    /// How many groups hold each other here; 0 for a cell.
    package var depth: Int {
        switch content {
        case .cell: 0
        case .group(let group): group.depth
        case .custom: 1
        }
    }
}
