struct Raster: Sendable, Hashable {
    let width: Int
    let height: Int
    /// The pixels, row by row from the top.
    private(set) var pixels: [Color]

    init(width: Int, height: Int, pixels: [Color]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    init(_ picture: Picture, side: Int) {
        self.init(width: side, height: side, pixels: Array(repeating: .black, count: side * side))
        let scale = Double(side) / picture.stage.height
        for layer in picture.layers { draw(layer, scale) }
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

    /// The number of sample lines in each row. Horizontal coverage along a line is exact.
    private static let lines = 3

    private mutating func draw(_ layer: Layer, _ scale: Double) {
        let edges: [(from: Point, to: Point)] = if case .path(let path) = layer.shape { path.edges } else { [] }
        var coverage = [Double](repeating: 0, count: width)
        for row in 0..<height {
            for column in coverage.indices { coverage[column] = 0 }
            for line in 0..<Self.lines {
                let y = (Double(row) + (Double(line) + 0.5) / Double(Self.lines)) / scale
                for span in layer.shape.spans(at: y, edges) { Self.cover(&coverage, span.from * scale, span.to * scale) }
            }
            for column in 0..<width where coverage[column] > 0 {
                let center = Point(x: (Double(column) + 0.5) / scale, y: (Double(row) + 0.5) / scale)
                let (color, opacity) = layer.paint.color(at: center)
                let index = row * width + column
                pixels[index] = pixels[index].mixed(with: color, opacity * coverage[column])
            }
        }
    }

    private static func cover(_ coverage: inout [Double], _ from: Double, _ to: Double) {
        let start = min(max(from, 0), Double(coverage.count))
        let end = min(max(to, 0), Double(coverage.count))
        var left = start
        while left < end {
            let column = Int(left)
            let right = min(end, Double(column + 1))
            coverage[column] += (right - left) / Double(lines)
            left = right
        }
    }
}

extension Shape {
    fileprivate func spans(at y: Double, _ edges: [(from: Point, to: Point)]) -> [(from: Double, to: Double)] {
        switch self {
        case .canvas: return [(-.infinity, .infinity)]
        case .circle(let center, let radius):
            let square = radius * radius - (y - center.y) * (y - center.y)
            guard square > 0 else { return [] }
            return [(center.x - square.squareRoot(), center.x + square.squareRoot())]
        case .path:
            var crossings: [Double] = []
            for (from, to) in edges where (from.y <= y) != (to.y <= y) {
                crossings.append(from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y))
            }
            crossings.sort()
            return stride(from: 1, to: crossings.count, by: 2).map { (crossings[$0 - 1], crossings[$0]) }
        }
    }
}
