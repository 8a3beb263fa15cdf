/// Room between children, or between a child and an edge.
package enum Spacing: Sendable, Hashable {
    case fixed(Magnitude)
    /// At least so much; grows by an equal share of what is left over.
    case flexible(Magnitude)

    package static let zero = Spacing.fixed(0)

    /// What it takes before anything is shared out.
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

/// A displacement; rightwards and downwards are positive.
package struct Offset: Sendable, Hashable {
    package var x: Coordinate = 0
    package var y: Coordinate = 0

    package static let zero = Offset()
}
