extension Dimension {
    /// In points; what is to be measured is its estimate.
    func points(in container: PointSize) -> Double {
        switch self {
        case .fractionalWidth(let fraction): fraction.value * container.width
        case .fractionalHeight(let fraction): fraction.value * container.height
        case .absolute(let points), .estimated(let points), .uniformAcrossSiblings(let points): points.value
        }
    }

    /// Whether it is a part of a side that is estimated itself.
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
