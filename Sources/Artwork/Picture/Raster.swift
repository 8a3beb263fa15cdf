struct Raster: Sendable, Hashable {
    let width: Int
    let height: Int
    /// The pixels, row by row from the top.
    let pixels: [Color]

    init(width: Int, height: Int, pixels: [Color]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    init(_ picture: Picture, side: Int) {
        var painter = RowPainter([PicturePart(picture.layers)], width: side, scale: Double(side) / picture.stage.height, lines: 3)
        var pixels: [Color] = []
        for _ in 0..<side {
            painter.paintRow()
            pixels += painter.pixels
        }
        self.init(width: side, height: side, pixels: pixels)
    }

    /// Returns the mean color of the largest group of pixels. Each pixel belongs to the group with the nearest color.
    func dominantColor(among groups: [[Color]]) -> Color {
        var sums = groups.map { _ in (count: 0.0, sum: Color.black) }
        for pixel in pixels {
            var best = (group: 0, distance: Double.infinity)
            for (group, colors) in groups.enumerated() {
                for color in colors where color.distance(to: pixel) < best.distance { best = (group, color.distance(to: pixel)) }
            }
            sums[best.group].count += 1
            sums[best.group].sum = sums[best.group].sum.adding(pixel, 1)
        }
        let largest = sums.max { $0.count < $1.count } ?? (1, .black)
        return Color.black.adding(largest.sum, 1 / largest.count)
    }
}
