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

/// On which items of a section a supplementary is shown.
package struct SupplementaryFrequency: Sendable, Hashable {
    /// Shown on one item of so many.
    package let every: Int
    /// Which of them it is, from 0.
    package let phase: Int
    /// Shown on items that carry the badge `new` alone.
    package let isForNewItems: Bool

    package static let always = SupplementaryFrequency(unchecked: 1, phase: 0)

    /// Nil unless `phase` is one of the `every`.
    package init?(every: Int, phase: Int = 0, isForNewItems: Bool = false) {
        guard every >= 1, phase >= 0, phase < every else { return nil }
        self.init(unchecked: every, phase: phase, isForNewItems: isForNewItems)
    }

    /// On the first of so many, for layouts that are written in the program.
    package static func firstOf(_ every: Int) -> SupplementaryFrequency {
        precondition(every >= 1)
        return SupplementaryFrequency(unchecked: every, phase: 0)
    }

    private init(unchecked every: Int, phase: Int, isForNewItems: Bool = false) {
        self.every = every
        self.phase = phase
        self.isForNewItems = isForNewItems
    }

    func includes(item: Int, isNew: Bool) -> Bool {
        item % every == phase && (isNew || !isForNewItems)
    }
}

/// A point of a rectangle, and how far from it something is hung.
package struct Anchor: Sendable, Hashable {
    package enum Displacement: Sendable, Hashable {
        case absolute(Offset)
        /// In parts of the supplementary's own size.
        case fractional(Offset)
    }

    /// Which edges the point lies on; on an axis without an edge, or with both, it is the centre.
    package var edges: Edges
    package var offset: Displacement

    package init(edges: Edges, offset: Displacement = .absolute(.zero)) {
        self.edges = edges
        self.offset = offset
    }
}
