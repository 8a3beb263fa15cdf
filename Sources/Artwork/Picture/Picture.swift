/// A stack of layers, the lowest first.
struct Picture: Sendable, Hashable {
    let stage: Canvas
    let layers: [Layer]
}

struct Layer: Sendable, Hashable {
    let shape: Shape
    let paint: Paint

    init(_ shape: Shape, _ paint: Paint) {
        self.shape = shape
        self.paint = paint
    }

    init(_ path: Path, _ paint: Paint) { self.init(.path(path), paint) }

    init(_ shape: Shape, _ color: Color, _ opacity: Double = 1) { self.init(shape, .flat(color, opacity)) }

    init(_ path: Path, _ color: Color, _ opacity: Double = 1) { self.init(.path(path), .flat(color, opacity)) }
}

/// The drawing area of a picture, 100 units high.
struct Canvas: Sendable, Hashable {
    let width: Double
    let height = 100.0

    static let square = Canvas(width: 100)

    var center: Point { Point(x: width / 2, y: height / 2) }
}
