/// A direction in which children are laid or content scrolls.
package enum Axis: Sendable, Hashable {
    case horizontal
    case vertical

    package var other: Axis { self == .horizontal ? .vertical : .horizontal }
}
