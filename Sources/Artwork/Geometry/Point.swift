struct Point: Sendable, Hashable {
    var x: Double
    var y: Double

    static let origin = Point(x: 0, y: 0)

    /// On the circle around the origin with radius 1; a turn is the whole circle, and goes from the right downwards.
    init(turn: Double) {
        // The series of both, which in half a turn to either side are exact to a few units in the last place.
        let angle = (turn - turn.rounded()) * 2 * Double.pi
        var term = 1.0
        (x, y) = (1, 0)
        for power in 1...30 {
            term *= angle / Double(power)
            switch power % 4 {
            case 0: x += term
            case 1: y += term
            case 2: x -= term
            default: y -= term
            }
        }
    }

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    static func + (left: Point, right: Point) -> Point { Point(x: left.x + right.x, y: left.y + right.y) }
    static func - (left: Point, right: Point) -> Point { Point(x: left.x - right.x, y: left.y - right.y) }
    static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }

    /// Turned around the origin as far as the direction is.
    func turned(to direction: Point) -> Point {
        Point(x: x * direction.x - y * direction.y, y: x * direction.y + y * direction.x)
    }
}
