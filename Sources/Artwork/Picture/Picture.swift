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

/// Layers at one place of a composed picture.
struct PicturePart: Sendable {
    /// The place of the coordinates of the layers in the composed picture.
    struct Frame: Sendable {
        let origin: Point
        let scale: Double

        static let whole = Frame(origin: .origin, scale: 1)

        /// Returns a coordinate of the composed picture as a coordinate of the layers.
        func inside(_ value: Double, _ origin: Double) -> Double { (value - origin) / scale }

        /// Returns a coordinate of the layers as a coordinate of the composed picture.
        func outside(_ value: Double, _ origin: Double) -> Double { value * scale + origin }
    }

    let layers: [Layer]
    let frame: Frame
    /// The visible area in the composed picture; nil if the layers are not clipped.
    let clip: Shape?

    init(_ layers: [Layer], in frame: Frame = .whole, clippedTo clip: Shape? = nil) {
        self.layers = layers
        self.frame = frame
        self.clip = clip
    }
}
