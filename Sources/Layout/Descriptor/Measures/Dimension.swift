/// One side of a size.
package enum Dimension: Sendable, Hashable {
    /// Of the container's inset width, on either axis.
    case fractionalWidth(Fraction)
    /// Of the container's inset height, on either axis.
    case fractionalHeight(Fraction)
    case absolute(Magnitude)
    /// So many points until it was measured.
    case estimated(Magnitude)
    /// So many points until it was measured; then the largest of its siblings.
    case uniformAcrossSiblings(Magnitude)

    var isUniform: Bool {
        if case .uniformAcrossSiblings = self { true } else { false }
    }

    /// Whether a measurement replaces it.
    package var isEstimated: Bool {
        switch self {
        case .estimated, .uniformAcrossSiblings: true
        case .fractionalWidth, .fractionalHeight, .absolute: false
        }
    }
}
