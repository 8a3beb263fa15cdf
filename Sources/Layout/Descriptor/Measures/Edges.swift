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

/// One of a kind for each edge of a rectangle.
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

/// What is taken off each edge of a rectangle.
package typealias Insets = PerEdge<Inset>
/// Room outside of an item, on each of its edges.
package typealias EdgeSpacing = PerEdge<Spacing>
/// What a device takes off each edge of the screen; unlike insets it may be a part of a point.
package typealias EdgeLengths = PerEdge<Magnitude>
