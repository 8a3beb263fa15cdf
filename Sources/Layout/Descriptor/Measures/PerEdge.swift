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

    /// The same on all edges.
    package init(all value: Value) {
        self.init(top: value, leading: value, bottom: value, trailing: value)
    }
}

/// What an edge has, or nothing.
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
