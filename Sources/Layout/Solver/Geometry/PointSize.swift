/// A width and a height in points.
package struct PointSize: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package static let zero = PointSize(width: 0, height: 0)

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// From what lies along an axis and across it.
    init(along axis: Axis, _ main: Double, across: Double) {
        self = axis == .horizontal ? PointSize(width: main, height: across) : PointSize(width: across, height: main)
    }

    subscript(axis: Axis) -> Double {
        get { axis == .horizontal ? width : height }
        set { if axis == .horizontal { width = newValue } else { height = newValue } }
    }
}
