/// Cells at places of their own, from one to `mostFrames`.
package struct CustomGroup: Sendable, Hashable {
    /// In points from the group's inset origin.
    package struct Frame: Sendable, Hashable {
        package var origin: Offset
        package var width: Magnitude
        package var height: Magnitude
        package var zIndex: Int

        package init(x: Coordinate, y: Coordinate, width: Magnitude, height: Magnitude, zIndex: Int = 0) {
            origin = Offset(x: x, y: y)
            self.width = width
            self.height = height
            self.zIndex = zIndex
        }
    }

    package static let mostFrames = 512

    package let frames: [Frame]

    package init(frames: [Frame]) throws(LayoutError) {
        guard !frames.isEmpty else { throw LayoutError(.emptyGroup) }
        guard frames.count <= Self.mostFrames else { throw LayoutError(.tooManySlots) }
        self.frames = frames
    }
}
