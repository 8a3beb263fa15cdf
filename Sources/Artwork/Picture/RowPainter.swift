/// A rasterizer that draws one row of pixels at a time, from the top. So a large picture needs the memory of one row.
struct RowPainter {
    /// The number of pixels of one unit.
    private let scale: Double
    private let lines: Int
    private var parts: [(frame: PicturePart.Frame, clip: Outline?, layers: [(outline: Outline, paint: Paint)])]
    private var row = 0
    /// The row that was painted last.
    private(set) var pixels: [Color]
    private var coverage: Coverage
    private var clip: Coverage

    /// Prepares a picture. `lines` is the number of sample lines in each row. The coverage along each of them is exact.
    init(_ parts: [PicturePart], width: Int, scale: Double, lines: Int) {
        self.scale = scale
        self.lines = lines
        // The edges deviate from a curve by at most about a tenth of a pixel.
        let count = 8 * max(1, Int(scale.squareRoot().rounded(.up)))
        self.parts = parts.map { part in
            (part.frame, part.clip.map { Outline($0, count) }, part.layers.map { (Outline($0.shape, count), $0.paint) })
        }
        pixels = Array(repeating: .black, count: width)
        coverage = Coverage(width: width)
        clip = Coverage(width: width)
    }

    mutating func paintRow() {
        for column in pixels.indices { pixels[column] = .black }
        for part in parts.indices {
            let frame = parts[part].frame
            let isClipped = parts[part].clip?.cover(&clip, row, .whole, scale, lines) != nil
            if isClipped, clip.columns.isEmpty { continue }
            for layer in parts[part].layers.indices {
                parts[part].layers[layer].outline.cover(&coverage, row, frame, scale, lines)
                paint(parts[part].layers[layer].paint, frame, isClipped)
            }
        }
        row += 1
    }

    private mutating func paint(_ paint: Paint, _ frame: PicturePart.Frame, _ isClipped: Bool) {
        let columns = isClipped ? coverage.columns.clamped(to: clip.columns) : coverage.columns
        let y = frame.inside((Double(row) + 0.5) / scale, frame.origin.y)
        for column in columns where coverage[column] > 0 {
            let (color, opacity) = paint.color(at: Point(x: frame.inside((Double(column) + 0.5) / scale, frame.origin.x), y: y))
            let part = opacity * coverage[column]
            pixels[column] = pixels[column].mixed(with: color, isClipped ? part * clip[column] : part)
        }
    }
}

/// The parts of the pixels of a row that a shape covers, from 0 to 1.
private struct Coverage {
    private var parts: [Double]
    /// The columns from the first to the last that the shape covers.
    private(set) var columns = 0..<0

    init(width: Int) { parts = Array(repeating: 0, count: width) }

    subscript(column: Int) -> Double { parts[column] }

    mutating func removeAll() {
        for column in columns { parts[column] = 0 }
        columns = 0..<0
    }

    /// Adds a part of a sample line, whose weight is its share of the row.
    mutating func add(_ from: Double, _ to: Double, weight: Double) {
        let start = min(max(from, 0), Double(parts.count))
        let end = min(max(to, 0), Double(parts.count))
        guard start < end else { return }
        var left = start
        while left < end {
            let column = Int(left)
            let right = min(end, Double(column + 1))
            parts[column] += (right - left) * weight
            left = right
        }
        let added = Int(start)..<Int(end.rounded(.up))
        columns = columns.isEmpty ? added : min(columns.lowerBound, added.lowerBound)..<max(columns.upperBound, added.upperBound)
    }
}

/// A shape whose rows are covered from the top.
private struct Outline {
    private struct Edge {
        let from, to: Point

        var top: Double { min(from.y, to.y) }
        var bottom: Double { max(from.y, to.y) }
    }

    private let shape: Shape
    /// The edges of a path, by their upper ends.
    private let edges: [Edge]
    private var next = 0
    /// The edges that the current row may cross.
    private var active: [Edge] = []
    private var crossings: [Double] = []

    init(_ shape: Shape, _ edgesOfCurve: Int) {
        self.shape = shape
        edges = if case .path(let path) = shape { path.edges(perCurve: edgesOfCurve).map(Edge.init).sorted { $0.top < $1.top } } else { [] }
    }

    mutating func cover(_ coverage: inout Coverage, _ row: Int, _ frame: PicturePart.Frame, _ scale: Double, _ lines: Int) {
        coverage.removeAll()
        for line in 0..<lines {
            let y = frame.inside((Double(row) + (Double(line) + 0.5) / Double(lines)) / scale, frame.origin.y)
            let add = { (coverage: inout Coverage, from: Double, to: Double) in
                let outside = { frame.outside($0, frame.origin.x) * scale }
                coverage.add(outside(from), outside(to), weight: 1 / Double(lines))
            }
            switch shape {
            case .canvas: add(&coverage, -.infinity, .infinity)
            case .circle(let center, let radius):
                let square = radius * radius - (y - center.y) * (y - center.y)
                if square > 0 { add(&coverage, center.x - square.squareRoot(), center.x + square.squareRoot()) }
            case .path:
                cross(y)
                for index in stride(from: 1, to: crossings.count, by: 2) { add(&coverage, crossings[index - 1], crossings[index]) }
            }
        }
    }

    /// Finds where the edges cross a line. The lines must come from the top.
    private mutating func cross(_ y: Double) {
        while next < edges.count, edges[next].top <= y {
            active.append(edges[next])
            next += 1
        }
        active.removeAll { $0.bottom <= y }
        crossings.removeAll(keepingCapacity: true)
        for edge in active {
            crossings.append(edge.from.x + (edge.to.x - edge.from.x) * (y - edge.from.y) / (edge.to.y - edge.from.y))
        }
        crossings.sort()
    }
}
