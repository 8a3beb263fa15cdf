package struct Edges: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let top = Edges(rawValue: 1)
    package static let leading = Edges(rawValue: 2)
    package static let bottom = Edges(rawValue: 4)
    package static let trailing = Edges(rawValue: 8)
}

/// An inset of one edge: zero or at least a point.
///
/// A value between 0 and 1 is rejected, because it is probably a misplaced fraction.
package struct Inset: Sendable, Hashable {
    package let points: Double

    package static let zero: Inset = 0

    /// Returns nil if the value is negative, strictly between 0 and 1, or not a magnitude. Minus zero becomes zero.
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

/// A value for each edge of a rectangle.
package struct PerEdge<Value: EdgeValue>: Sendable, Hashable {
    package var top: Value
    package var leading: Value
    package var bottom: Value
    package var trailing: Value

    package static var zero: Self { Self() }

    package init(top: Value = .zero, leading: Value = .zero, bottom: Value = .zero, trailing: Value = .zero) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    package init(all value: Value) {
        self.init(top: value, leading: value, bottom: value, trailing: value)
    }
}

package protocol EdgeValue: Sendable, Hashable {
    static var zero: Self { get }
}

extension Inset: EdgeValue {}
extension Spacing: EdgeValue {}
extension Magnitude: EdgeValue {}

/// The insets of a rectangle.
package typealias Insets = PerEdge<Inset>
/// The spacing outside an item, on each of its edges.
package typealias EdgeSpacing = PerEdge<Spacing>
/// The part of each screen edge that a device reserves. Unlike an inset, it may be less than a point.
package typealias EdgeLengths = PerEdge<Magnitude>
