/// A distance in points that may point backwards, finite and within a billion.
package struct Coordinate: Sendable, Hashable {
    package let value: Double

    /// Nil for what is no coordinate; minus zero becomes zero.
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
