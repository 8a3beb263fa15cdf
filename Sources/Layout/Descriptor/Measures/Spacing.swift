/// The space between children, or between a child and an edge.
package enum Spacing: Sendable, Hashable {
    case fixed(Magnitude)
    /// A minimum that grows by an equal share of the remaining space.
    case flexible(Magnitude)

    package static let zero = Spacing.fixed(0)

    /// The space before the remaining space is distributed.
    package var minimum: Double {
        switch self {
        case .fixed(let points), .flexible(let points): points.value
        }
    }

    package var isFlexible: Bool {
        switch self {
        case .fixed: false
        case .flexible: true
        }
    }
}

/// A displacement. Positive values point right and down.
package struct Offset: Sendable, Hashable {
    package var x: Coordinate = 0
    package var y: Coordinate = 0

    package static let zero = Offset()
}
