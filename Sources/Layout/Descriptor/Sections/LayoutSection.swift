/// The layout of one section: its repeated content and everything around it.
package struct LayoutSection: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// A group that repeats until all items are shown.
        case group(LayoutItem)
        case list(ListLayout)
    }

    package var content: Content
    package var contentInsets: Insets
    package var contentInsetsReference: InsetsReference
    package var supplementaryContentInsetsReference: InsetsReference
    package var interGroupSpacing: Magnitude
    package var orthogonalScrollingBehavior: ScrollingBehavior
    package var orthogonalScrollingProperties: ScrollingProperties
    package var boundarySupplementaryItems: [BoundaryItem]
    package var decorationItems: [DecorationItem]
    package var effects: [Effect]

    package init(
        _ content: Content, contentInsets: Insets = .zero, contentInsetsReference: InsetsReference = .automatic,
        supplementaryContentInsetsReference: InsetsReference = .automatic, interGroupSpacing: Magnitude = 0,
        orthogonalScrollingBehavior: ScrollingBehavior = .none, orthogonalScrollingProperties: ScrollingProperties = .automatic,
        boundarySupplementaryItems: [BoundaryItem] = [], decorationItems: [DecorationItem] = [], effects: [Effect] = []
    ) {
        self.content = content
        self.contentInsets = contentInsets
        self.contentInsetsReference = contentInsetsReference
        self.supplementaryContentInsetsReference = supplementaryContentInsetsReference
        self.interGroupSpacing = interGroupSpacing
        self.orthogonalScrollingBehavior = orthogonalScrollingBehavior
        self.orthogonalScrollingProperties = orthogonalScrollingProperties
        self.boundarySupplementaryItems = boundarySupplementaryItems
        self.decorationItems = decorationItems
        self.effects = effects
    }
}

/// The margins that a section applies before its own insets.
package enum InsetsReference: String, CaseIterable, Sendable {
    /// The page's reference for a section; the safe area for a page.
    case automatic
    case none
    case safeArea
    case layoutMargins
    case readableContent
}

/// The background of a whole section.
package struct DecorationItem: Sendable, Hashable {
    package var elementKind: Name
    package var contentInsets: Insets = .zero
    package var zIndex = 0
    /// The color. nil uses the appearance that the client has for the element kind.
    package var fill: ColorFill?
    package var cornerRadius: Magnitude = 0
}
