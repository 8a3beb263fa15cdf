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
