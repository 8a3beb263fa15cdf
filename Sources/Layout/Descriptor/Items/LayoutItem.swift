/// A cell, a group of items, or a group with explicit frames.
package struct LayoutItem: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// Shows one item. The slot selects one of the section's cell styles.
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

    /// The number of nested groups; 0 for a cell.
    package var depth: Int {
        switch content {
        case .cell: 0
        case .group(let group): group.depth
        case .custom: 1
        }
    }
}
