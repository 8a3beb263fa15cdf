/// The layout properties that all sections of a page share.
package struct PageConfiguration: Sendable, Hashable {
    package var scrollDirection: Axis
    package var interSectionSpacing: Magnitude
    package var contentInsetsReference: InsetsReference
    package var boundarySupplementaryItems: [BoundaryItem]

    package init(
        scrollDirection: Axis = .vertical, interSectionSpacing: Magnitude = 0, contentInsetsReference: InsetsReference = .automatic,
        boundarySupplementaryItems: [BoundaryItem] = []
    ) {
        self.scrollDirection = scrollDirection
        self.interSectionSpacing = interSectionSpacing
        self.contentInsetsReference = contentInsetsReference
        self.boundarySupplementaryItems = boundarySupplementaryItems
    }
}
