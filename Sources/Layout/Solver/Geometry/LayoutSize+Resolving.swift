extension Dimension {
    /// Returns the extent in points. An unmeasured dimension has its estimate.
    func points(in container: PointSize) -> Double {
        switch self {
        case .fractionalWidth(let fraction): fraction.value * container.width
        case .fractionalHeight(let fraction): fraction.value * container.height
        case .absolute(let points), .estimated(let points), .uniformAcrossSiblings(let points): points.value
        }
    }

    /// Whether the dimension is a fraction of an estimated side.
    func isFraction(ofEstimated size: LayoutSize) -> Bool {
        switch self {
        case .fractionalWidth: size.width.isEstimated
        case .fractionalHeight: size.height.isEstimated
        case .absolute, .estimated, .uniformAcrossSiblings: false
        }
    }
}

extension LayoutSize {
    subscript(axis: Axis) -> Dimension { axis == .horizontal ? width : height }

    func extents(in container: PointSize) -> PointSize {
        PointSize(width: width.points(in: container), height: height.points(in: container))
    }

    var isEstimated: Bool { width.isEstimated || height.isEstimated }
}

/// A width and a height in points.
package struct PointSize: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package static let zero = PointSize(width: 0, height: 0)

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    init(along axis: Axis, _ main: Double, across: Double) {
        self = axis == .horizontal ? PointSize(width: main, height: across) : PointSize(width: across, height: main)
    }

    subscript(axis: Axis) -> Double {
        get { axis == .horizontal ? width : height }
        set { if axis == .horizontal { width = newValue } else { height = newValue } }
    }
}

extension Double {
    /// The largest integer that is not above the number. It replaces the C library's `floor`, which browsers lack.
    var wholeBelow: Double {
        guard abs(self) < 0x1p52 else { return self }
        let whole = Double(Int64(self))
        return whole > self ? whole - 1 : whole
    }

    var wholeAbove: Double { -(-self).wholeBelow }
}
