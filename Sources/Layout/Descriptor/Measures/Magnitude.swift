/// A number that is not negative, finite and no greater than a billion: a length in points, or a factor.
///
/// The bound keeps every sum and product of a solve finite, whatever a descriptor says.
package struct Magnitude: Sendable, Hashable {
    package static let greatest = 1e9

    package static let zero: Magnitude = 0

    package let value: Double

    /// Nil for what is no magnitude; minus zero becomes zero.
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
