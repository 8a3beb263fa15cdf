/// How many pixels a point has, from a tenth to a hundred.
package struct Scale: Sendable, Hashable {
    package let factor: Double

    package init?(_ factor: Double) {
        guard factor >= 0.1, factor <= 100 else { return nil }
        self.factor = factor
    }

    /// The tolerance of everything that must fit.
    var halfPixel: Double { 0.5 / factor }
}

extension Scale: ExpressibleByIntegerLiteral {
    package init(integerLiteral factor: Int) {
        precondition((1...100).contains(factor))
        self.factor = Double(factor)
    }
}
