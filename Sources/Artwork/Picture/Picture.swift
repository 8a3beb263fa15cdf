/// Layers over each other, the lowest first.
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
