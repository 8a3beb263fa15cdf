/// A width and a height relative to a container.
package struct LayoutSize: Sendable, Hashable {
    package var width: Dimension
    package var height: Dimension

    package init(width: Dimension, height: Dimension) {
        self.width = width
        self.height = height
    }
}

package enum Axis: String, CaseIterable, Sendable {
    case horizontal
    case vertical

    package var other: Axis { self == .horizontal ? .vertical : .horizontal }
}
