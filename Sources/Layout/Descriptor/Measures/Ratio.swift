/// An exact quotient in lowest terms, so that a third is never 0.333.
package struct Ratio: Sendable, Hashable {
    package static let greatestTerm = 1_000_000

    package let numerator: Int
    package let denominator: Int

    /// Nil unless both terms are between 0 and a million and the denominator is not zero.
    package init?(_ numerator: Int, _ denominator: Int) {
        let terms = 0...Self.greatestTerm
        guard terms.contains(numerator), terms.contains(denominator), denominator > 0 else { return nil }
        self.init(reducing: numerator, denominator)
    }

    /// One part of so many, for layouts that are written in the program.
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
