/// A displacement; rightwards and downwards are positive.
package struct Offset: Sendable, Hashable {
    package var x: Coordinate
    package var y: Coordinate

    package static let zero = Offset()

    package init(x: Coordinate = 0, y: Coordinate = 0) {
        self.x = x
        self.y = y
    }
}
