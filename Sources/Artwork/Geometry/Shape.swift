/// What a layer covers.
enum Shape: Sendable, Hashable {
    /// All there is.
    case canvas
    case circle(Point, Double)
    case path(Path)

    static func ring(_ center: Point, _ outer: Double, _ inner: Double) -> Shape {
        .path(Path(ellipseAt: center, outer, outer).adding(Path(ellipseAt: center, inner, inner)))
    }

    /// A box with round corners.
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
