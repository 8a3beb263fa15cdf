/// A picture as an SVG file of shapes and gradients only. It works under a content security policy that allows no
/// styles or scripts.
struct SVGText {
    private(set) var text = ""
    /// The prefix of gradient names, which keeps them unique in a document of several pictures.
    private let prefix: String
    private var gradients = 0

    init(_ picture: Picture, width: Int, height: Int, prefix: String = "") {
        self.prefix = prefix
        text = Self.head(width, height, box: "\(picture.stage.width.short) \(picture.stage.height.short)")
        append(picture)
        text += "</svg>\n"
    }

    init(prefix: String = "") { self.prefix = prefix }

    static func head(_ width: Int, _ height: Int, box: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(box)\">"
    }

    mutating func append(_ picture: Picture) {
        for layer in picture.layers { append(layer, picture.stage) }
    }

    private mutating func append(_ layer: Layer, _ stage: Canvas) {
        let paint = paint(layer.paint)
        switch layer.shape {
        case .canvas: text += "<rect width=\"\(stage.width.short)\" height=\"\(stage.height.short)\"\(paint)/>"
        case .circle(let center, let radius):
            text += "<circle cx=\"\(center.x.short)\" cy=\"\(center.y.short)\" r=\"\(radius.short)\"\(paint)/>"
        case .path(let path): text += "<path d=\"\(path.svg)\" fill-rule=\"evenodd\"\(paint)/>"
        }
    }

    private mutating func paint(_ paint: Paint) -> String {
        switch paint {
        case .flat(let color, 1): " fill=\"\(color.text)\""
        case .flat(let color, let opacity): " fill=\"\(color.text)\" fill-opacity=\"\(opacity.short)\""
        case .gradient(let first, let second, let from, let to): gradient((first, 1), (second, 1), from, to)
        case .fade(let color, let first, let second, let from, let to): gradient((color, first), (color, second), from, to)
        }
    }

    private mutating func gradient(_ first: (Color, Double), _ second: (Color, Double), _ from: Point, _ to: Point) -> String {
        let name = "\(prefix)g\(gradients)"
        gradients += 1
        let stop = { (offset: Int, color: Color, opacity: Double) in
            "<stop offset=\"\(offset)\" stop-color=\"\(color.text)\"\(opacity == 1 ? "" : " stop-opacity=\"\(opacity.short)\"")/>"
        }
        text +=
            "<linearGradient id=\"\(name)\" gradientUnits=\"userSpaceOnUse\" x1=\"\(from.x.short)\" y1=\"\(from.y.short)\""
            + " x2=\"\(to.x.short)\" y2=\"\(to.y.short)\">\(stop(0, first.0, first.1))\(stop(1, second.0, second.1))</linearGradient>"
        return " fill=\"url(#\(name))\""
    }
}

extension Path {
    fileprivate var svg: String {
        var text = ""
        for step in steps {
            switch step {
            case .move(let point): text += "\(text.isEmpty ? "" : "Z")M\(point.svg)"
            case .line(let point): text += "L\(point.svg)"
            case .curve(let first, let second, let point): text += "C\(first.svg) \(second.svg) \(point.svg)"
            }
        }
        return text + "Z"
    }
}

extension Point {
    fileprivate var svg: String { "\(x.short) \(y.short)" }
}

extension Double {
    /// The number with at most two decimals.
    var short: String {
        let hundredths = Int((self * 100).rounded())
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        return "\(Double(hundredths) / 100)"
    }
}
