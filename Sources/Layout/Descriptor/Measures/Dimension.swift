package enum Dimension: Sendable, Hashable {
    /// A fraction of the container's inset width, on either axis.
    case fractionalWidth(Fraction)
    /// A fraction of the container's inset height, on either axis.
    case fractionalHeight(Fraction)
    case absolute(Magnitude)
    /// The estimate in points, until the item is measured.
    case estimated(Magnitude)
    /// The estimate in points, until the item is measured. Then it is the largest measurement among its siblings.
    case uniformAcrossSiblings(Magnitude)

    var isUniform: Bool {
        if case .uniformAcrossSiblings = self { true } else { false }
    }

    /// Whether a measurement replaces the dimension.
    package var isEstimated: Bool {
        switch self {
        case .estimated, .uniformAcrossSiblings: true
        case .fractionalWidth, .fractionalHeight, .absolute: false
        }
    }
}

/// A fraction of a container's extent. A ratio and a decimal of the same value are different fractions.
package enum Fraction: Sendable, Hashable {
    case decimal(Magnitude)
    case ratio(Ratio)

    package static let whole = Fraction.decimal(1)

    /// The value as a decimal. A ratio is divided only here.
    package var value: Double {
        switch self {
        case .decimal(let decimal): decimal.value
        case .ratio(let ratio): Double(ratio.numerator) / Double(ratio.denominator)
        }
    }
}

/// A nonnegative number of at most a billion: a length in points, or a factor.
///
/// The limit keeps every sum and product of a solve finite.
package struct Magnitude: Sendable, Hashable {
    package static let greatest = 1e9

    package static let zero: Magnitude = 0

    package let value: Double

    /// Returns nil if the value is not a magnitude. Minus zero becomes zero.
    package init?(_ value: Double) {
        guard value >= 0, value <= Self.greatest else { return nil }
        self.value = value + 0
    }
}

extension Magnitude: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    package init(floatLiteral value: Double) {
        precondition(value >= 0 && value <= Self.greatest)
        self.value = value + 0
    }

    package init(integerLiteral value: Int) {
        self.init(floatLiteral: Double(value))
    }
}

/// A signed distance in points, finite and within a billion.
package struct Coordinate: Sendable, Hashable {
    package let value: Double

    /// Returns nil if the value is not a coordinate. Minus zero becomes zero.
    package init?(_ value: Double) {
        guard value >= -Magnitude.greatest, value <= Magnitude.greatest else { return nil }
        self.value = value + 0
    }
}

extension Coordinate: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    package init(floatLiteral value: Double) {
        precondition(value >= -Magnitude.greatest && value <= Magnitude.greatest)
        self.value = value + 0
    }

    package init(integerLiteral value: Int) {
        self.init(floatLiteral: Double(value))
    }
}

/// An exact quotient in lowest terms, so that a third is never 0.333.
package struct Ratio: Sendable, Hashable {
    package static let greatestTerm = 1_000_000

    package let numerator: Int
    package let denominator: Int

    /// Returns nil unless both terms are between 0 and a million and the denominator is not zero.
    package init?(_ numerator: Int, _ denominator: Int) {
        let terms = 0...Self.greatestTerm
        guard terms.contains(numerator), terms.contains(denominator), denominator > 0 else { return nil }
        self.init(reducing: numerator, denominator)
    }

    /// Returns a unit fraction, for layouts in code.
    package static func one(of denominator: Int) -> Ratio {
        precondition((1...greatestTerm).contains(denominator))
        return Ratio(reducing: 1, denominator)
    }

    private init(reducing numerator: Int, _ denominator: Int) {
        var (divisor, rest) = (denominator, numerator)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }
}
