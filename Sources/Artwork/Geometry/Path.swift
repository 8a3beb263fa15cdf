/// Closed outlines of lines and cubic curves, filled by the even-odd rule.
struct Path: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case move(Point)
        case line(Point)
        case curve(Point, Point, Point)
    }

    private(set) var steps: [Step] = []
    private var end = Point.origin

    init(from start: Point) { move(to: start) }

    init(_ corners: [Point]) {
        self.init(from: corners[0])
        for corner in corners.dropFirst() { line(to: corner) }
    }

    /// Creates an ellipse whose first axis has a direction.
    init(ellipseAt center: Point, _ first: Double, _ second: Double, along direction: Point = Point(x: 1, y: 0)) {
        let point = { (x: Double, y: Double) in center + Point(x: x * first, y: y * second).turned(to: direction) }
        // The length of the control handles of a quarter circle.
        let reach = 0.5523
        self.init(from: point(1, 0))
        curve(point(1, reach), point(reach, 1), to: point(0, 1))
        curve(point(-reach, 1), point(-1, reach), to: point(-1, 0))
        curve(point(-1, -reach), point(-reach, -1), to: point(0, -1))
        curve(point(reach, -1), point(1, -reach), to: point(1, 0))
    }

    mutating func move(to point: Point) {
        steps.append(.move(point))
        end = point
    }

    mutating func line(to point: Point) {
        steps.append(.line(point))
        end = point
    }

    mutating func curve(_ first: Point, _ second: Point, to point: Point) {
        steps.append(.curve(first, second, point))
        end = point
    }

    /// Appends an arc around a center, from the end of the path. Positive turns are clockwise.
    mutating func arc(around center: Point, turning turns: Double) {
        let pieces = max(1, Int((turns.magnitude * 4).rounded(.up)))
        let half = Point(turn: turns / Double(pieces) / 2)
        let step = Point(turn: turns / Double(pieces))
        // 4/3 × tan of a quarter of the angle; tan(a/2) = sin a / (1 + cos a).
        let reach = 4.0 / 3 * half.y / (1 + half.x)
        for _ in 0..<pieces {
            let from = end - center
            let to = from.turned(to: step)
            curve(
                center + from + Point(x: -from.y, y: from.x) * reach, center + to - Point(x: -to.y, y: to.x) * reach, to: center + to)
        }
    }

    func adding(_ other: Path) -> Path {
        var path = self
        path.steps += other.steps
        return path
    }

    /// Returns the outline as straight edges.
    func edges(perCurve count: Int) -> [(from: Point, to: Point)] {
        var edges: [(from: Point, to: Point)] = []
        var start = Point.origin
        var position = Point.origin
        let line = { (to: Point) in
            edges.append((position, to))
            position = to
        }
        for step in steps {
            switch step {
            case .move(let point):
                line(start)
                (start, position) = (point, point)
            case .line(let point): line(point)
            case .curve(let first, let second, let point):
                let from = position
                for part in 1...count { line(Self.point(on: (from, first, second, point), at: Double(part) / Double(count))) }
            }
        }
        line(start)
        return edges
    }

    private static func point(on curve: (Point, Point, Point, Point), at part: Double) -> Point {
        let rest = 1 - part
        return curve.0 * (rest * rest * rest) + curve.1 * (3 * rest * rest * part) + curve.2 * (3 * rest * part * part)
            + curve.3 * (part * part * part)
    }
}

struct Point: Sendable, Hashable {
    var x: Double
    var y: Double

    static let origin = Point(x: 0, y: 0)

    /// Creates a point of the unit circle. A turn is the full circle; turns start at the right and go downward.
    init(turn: Double) {
        // The Taylor series of sine and cosine, exact to a few units in the last place within half a turn.
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

    /// Returns the point rotated around the origin by the angle of a direction.
    func turned(to direction: Point) -> Point {
        Point(x: x * direction.x - y * direction.y, y: x * direction.y + y * direction.x)
    }
}

enum Shape: Sendable, Hashable {
    case canvas
    case circle(Point, Double)
    case path(Path)

    static func ring(_ center: Point, _ outer: Double, _ inner: Double) -> Shape {
        .path(Path(ellipseAt: center, outer, outer).adding(Path(ellipseAt: center, inner, inner)))
    }

    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, round: Double) -> Shape {
        var path = Path(from: Point(x: x + round, y: y))
        let corners = [(x + width, y, 0.0), (x + width, y + height, 0.25), (x, y + height, 0.5), (x, y, 0.75)]
        for (cornerX, cornerY, turn) in corners {
            let forward = Point(turn: turn)
            let corner = Point(x: cornerX, y: cornerY)
            let inside = corner - forward * round
            path.line(to: inside)
            path.arc(around: inside + Point(x: -forward.y, y: forward.x) * round, turning: 0.25)
        }
        return .path(path)
    }
}
