/// The room that a picture has; 100 high.
struct Canvas: Sendable, Hashable {
    let width: Double
    let height = 100.0

    static let square = Canvas(width: 100)

    var center: Point { Point(x: width / 2, y: height / 2) }
}
