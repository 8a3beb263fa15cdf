/// A badge or a banner that hangs on an item or a group.
package struct SupplementaryItem: Sendable, Hashable {
    package var elementKind: Name
    /// In terms of the frame that it hangs on.
    package var size: LayoutSize
    package var containerAnchor: Anchor
    /// The supplementary's own point that meets the container's; nil is the same point of both.
    package var itemAnchor: Anchor?
    package var zIndex: Int
    package var occurrence: SupplementaryFrequency

    package init(
        elementKind: Name, size: LayoutSize, containerAnchor: Anchor, itemAnchor: Anchor? = nil, zIndex: Int = 1,
        occurrence: SupplementaryFrequency = .always
    ) {
        self.elementKind = elementKind
        self.size = size
        self.containerAnchor = containerAnchor
        self.itemAnchor = itemAnchor
        self.zIndex = zIndex
        self.occurrence = occurrence
    }
}
