/// One edge of insets: zero, or at least a point.
///
/// What lies between is a fraction written in the wrong place, so it is refused.
package struct Inset: Sendable, Hashable {
    package let points: Double

    package static let zero: Inset = 0

    /// Nil for what is negative, strictly between 0 and 1, or no magnitude; minus zero becomes zero.
    package init?(_ points: Double) {
        guard Self.allows(points) else { return nil }
        self.points = points + 0
    }

    private static func allows(_ points: Double) -> Bool {
        points == 0 || (points >= 1 && points <= Magnitude.greatest)
    }
}

extension Inset: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    package init(floatLiteral points: Double) {
        precondition(Self.allows(points))
        self.points = points + 0
    }

    package init(integerLiteral points: Int) {
        self.init(floatLiteral: Double(points))
    }
}
