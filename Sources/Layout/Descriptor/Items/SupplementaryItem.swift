/// A badge or a banner that is attached to an item or a group.
package struct SupplementaryItem: Sendable, Hashable {
    package var elementKind: Name
    /// The size, relative to the frame of the item or group.
    package var size: LayoutSize
    package var containerAnchor: Anchor
    /// The point of the supplementary that meets the container's point. nil uses the same point of both.
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

/// The items of a section that show a supplementary.
package struct SupplementaryFrequency: Sendable, Hashable {
    /// The period: one of every `every` items shows it.
    package let every: Int
    /// The zero-based position of that item in the period.
    package let phase: Int
    /// Whether only items with the badge `new` show it.
    package let isForNewItems: Bool

    package static let always = SupplementaryFrequency(unchecked: 1, phase: 0)

    /// Returns nil unless `phase` is in `0..<every`.
    package init?(every: Int, phase: Int = 0, isForNewItems: Bool = false) {
        guard every >= 1, phase >= 0, phase < every else { return nil }
        self.init(unchecked: every, phase: phase, isForNewItems: isForNewItems)
    }

    /// Shows the supplementary on the first of every `every` items, for layouts in code.
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

/// A point of a rectangle and a displacement from it.
package struct Anchor: Sendable, Hashable {
    package enum Displacement: Sendable, Hashable {
        case absolute(Offset)
        /// A displacement in fractions of the supplementary's own size.
        case fractional(Offset)
    }

    /// The edges on which the point lies. On an axis with no edge or both edges, it is the center.
    package var edges: Edges
    package var offset: Displacement

    package init(edges: Edges, offset: Displacement = .absolute(.zero)) {
        self.edges = edges
        self.offset = offset
    }
}
