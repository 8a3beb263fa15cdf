import Layout

/// The minimal work of solving a grid: the arithmetic of `photo-grid-3` in a loop, into an array.
struct GridLoop {
    let width: Double
    let items: Int

    @inline(never)
    func frames() -> ContiguousArray<Rectangle> {
        var frames: ContiguousArray<Rectangle> = []
        frames.reserveCapacity(items)
        let side = (width - 5) * (1.0 / 3)
        var (x, y, column) = (5.0, 5.0, 0)
        for _ in 0..<items {
            frames.append(Rectangle(x: x, y: y, width: side - 5, height: side - 5))
            column += 1
            x += side
            if column == 3 { (x, y, column) = (5, y + side, 0) }
        }
        return frames
    }
}
