/// A frame in points with its origin at the top left.
package struct Rectangle: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package static let zero = Rectangle(x: 0, y: 0, width: 0, height: 0)

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    init(x: Double, y: Double, _ size: PointSize) {
        self.init(x: x, y: y, width: size.width, height: size.height)
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }

    var size: PointSize { PointSize(width: width, height: height) }

    func start(_ axis: Axis) -> Double { axis == .horizontal ? x : y }

    func end(_ axis: Axis) -> Double { axis == .horizontal ? maxX : maxY }

    @inline(__always)
    func moved(x dx: Double, y dy: Double) -> Rectangle {
        Rectangle(x: x + dx, y: y + dy, width: width, height: height)
    }

    func moved(along axis: Axis, by distance: Double) -> Rectangle {
        axis == .horizontal ? moved(x: distance, y: 0) : moved(x: 0, y: distance)
    }

    /// Returns the rectangle inset by the insets. A side shorter than its insets becomes zero.
    func inset(by insets: Insets) -> Rectangle {
        Rectangle(
            x: x + insets.leading.points, y: y + insets.top.points,
            width: max(0, width - insets.leading.points - insets.trailing.points),
            height: max(0, height - insets.top.points - insets.bottom.points))
    }

    /// Returns the rectangle scaled about its center.
    func scaled(by factor: Double) -> Rectangle {
        let (scaledWidth, scaledHeight) = (width * factor, height * factor)
        return Rectangle(
            x: x + (width - scaledWidth) / 2, y: y + (height - scaledHeight) / 2, width: scaledWidth, height: scaledHeight)
    }

    @inline(__always)
    func mirrored(within width: Double) -> Rectangle {
        Rectangle(x: width - x - self.width, y: y, width: self.width, height: height)
    }

    /// Whether the rectangles share more than an edge.
    package func intersects(_ other: Rectangle) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }

    /// Whether the rectangle contains a point. It includes its left and top edges, but not its right and bottom ones.
    package func contains(x: Double, y: Double) -> Bool {
        x >= self.x && x < maxX && y >= self.y && y < maxY
    }

    /// Returns the rectangle with its edges rounded to whole pixels, half a pixel up. Adjacent frames share their
    /// edges, and sizes are the differences.
    package func snapped(to scale: Scale) -> Rectangle {
        let (x0, x1) = (scale.snap(x), scale.snap(maxX))
        let (y0, y1) = (scale.snap(y), scale.snap(maxY))
        return Rectangle(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
    }
}

extension Scale {
    /// Rounds half up. A value less than a millionth of a pixel below a half counts as a half, because rounding errors
    /// differ.
    fileprivate func snap(_ points: Double) -> Double { (points * factor + 0.5 + 1e-6).wholeBelow / factor }
}
