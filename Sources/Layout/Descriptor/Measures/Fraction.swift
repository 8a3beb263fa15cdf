/// A part of a container's extent; a ratio and the decimal of the same value are different fractions.
package enum Fraction: Sendable, Hashable {
    case decimal(Magnitude)
    case ratio(Ratio)

    package static let whole = Fraction.decimal(1)

    /// Divided only here, when it is resolved.
    package var value: Double {
        switch self {
        case .decimal(let decimal): decimal.value
        case .ratio(let ratio): Double(ratio.numerator) / Double(ratio.denominator)
        }
    }
}
