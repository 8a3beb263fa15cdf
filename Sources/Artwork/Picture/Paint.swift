/// The colour of a layer at each of its points.
enum Paint: Sendable, Hashable {
    /// A colour and how much it hides.
    case flat(Color, Double)
    case gradient(Color, Color, from: Point, to: Point)
    /// One colour that hides less and less, or more and more.
    case fade(Color, Double, Double, from: Point, to: Point)

    static func flat(_ color: Color) -> Paint { .flat(color, 1) }

    func color(at point: Point) -> (color: Color, opacity: Double) {
        switch self {
        case .flat(let color, let opacity): (color, opacity)
        case .gradient(let first, let second, let from, let to): (first.mixed(with: second, Self.part(point, from, to)), 1)
        case .fade(let color, let first, let second, let from, let to): (color, first + (second - first) * Self.part(point, from, to))
        }
    }

    /// How far along the line between the two.
    private static func part(_ point: Point, _ from: Point, _ to: Point) -> Double {
        let way = to - from
        let gone = point - from
        return min(1, max(0, (gone.x * way.x + gone.y * way.y) / (way.x * way.x + way.y * way.y)))
    }
}
