internal import Layout

/// Shapes, texts and images in points, as the source of an SVG document.
struct Sketch {
    enum Alignment { case leading, center, trailing }

    private(set) var svg = ""
    private(set) var images: EmbeddedImages
    let isRightToLeft: Bool
    private var clips = 0

    init(_ images: EmbeddedImages, isRightToLeft: Bool) {
        self.images = images
        self.isRightToLeft = isRightToLeft
    }

    /// Returns the source so far, and removes it. The images stay.
    mutating func cut() -> String {
        defer { svg = "" }
        return svg
    }

    mutating func rectangle(_ frame: Rectangle, radius: Double = 0, fill: String, opacity: Double = 1) {
        svg += "<rect \(Self.place(frame))\(radius > 0 ? " rx=\"\(radius.plain)\"" : "") fill=\"\(fill)\""
        svg += opacity < 1 ? " fill-opacity=\"\(opacity.plain)\"/>\n" : "/>\n"
    }

    mutating func path(_ path: String, stroke: String, width: Double) {
        svg += "<path d=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(width.plain)\" stroke-linecap=\"round\"/>\n"
    }

    /// Writes one line, cut with an ellipsis at the width of `box`.
    mutating func text(
        _ text: String, in box: Rectangle, baseline: Double, _ font: Font, _ color: String, _ alignment: Alignment = .leading
    ) {
        guard box.width >= font.width(of: "…") || box.width >= font.width(of: text) else { return }
        let line = font.fitted(text, in: box.width)
        let (x, anchor) =
            switch alignment {
            case .leading: (isRightToLeft ? box.maxX : box.x, "")
            case .center: (box.x + box.width / 2, " text-anchor=\"middle\"")
            case .trailing: (isRightToLeft ? box.x : box.maxX, " text-anchor=\"end\"")
            }
        svg += "<text x=\"\(x.plain)\" y=\"\(baseline.plain)\" font-size=\"\(font.size.plain)\""
        if font.weight != .regular { svg += " font-weight=\"\(font.weight.rawValue)\"" }
        svg += " fill=\"\(color)\"\(anchor)>\(line.escaped)</text>\n"
    }

    /// Draws an image so that it covers the frame, on its color or on a neutral gradient.
    mutating func image(_ image: PageImage?, in frame: Rectangle, radius: Double) {
        guard frame.width > 0, frame.height > 0 else { return }
        if let color = image?.color { rectangle(frame, radius: radius, fill: color) } else { gradient(in: frame, radius: radius) }
        guard let image, let source = images.element(of: image, in: frame) else { return }
        svg += "<g \(clip(to: frame, radius: radius))>\(source)</g>\n"
        // A hairline separates a pale image from the page.
        svg += "<rect \(Self.place(frame)) rx=\"\(radius.plain)\" fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0.08\"/>\n"
    }

    private mutating func gradient(in frame: Rectangle, radius: Double) {
        clips += 1
        svg += "<linearGradient id=\"n\(clips)\" x2=\"0\" y2=\"1\"><stop offset=\"0\" stop-color=\"#d1d1d6\"/>"
        svg += "<stop offset=\"1\" stop-color=\"#c7c7cc\"/></linearGradient>"
        rectangle(frame, radius: radius, fill: "url(#n\(clips))")
    }

    /// Adds what `body` draws, clipped to a frame and moved.
    mutating func group(clippedTo frame: Rectangle, radius: Double = 0, x: Double = 0, y: Double = 0, _ body: (inout Sketch) -> Void) {
        svg += "<g \(clip(to: frame, radius: radius))><g transform=\"translate(\(x.plain) \(y.plain))\">\n"
        body(&self)
        svg += "</g></g>\n"
    }

    /// Adds what `body` draws in a cell, with the effects of its scroller.
    mutating func group(opacity: Double, of frame: Rectangle, shift: (x: Double, y: Double), _ body: (inout Sketch) -> Void) {
        if opacity < 0.995 { svg += "<g opacity=\"\(opacity.plain)\">\n" }
        if shift == (0, 0) { body(&self) } else { group(clippedTo: frame, x: shift.x, y: shift.y, body) }
        if opacity < 0.995 { svg += "</g>\n" }
    }

    /// Draws a rectangle with a fill of the layout, or with a color if it is nil.
    mutating func fill(_ frame: Rectangle, radius: Double, _ fill: DrawnFill?, default color: String) {
        guard let fill = fill?.svg(id: "f\(clips + 1)") else {
            return rectangle(frame, radius: radius, fill: color)
        }
        clips += 1
        svg += fill.definition
        rectangle(frame, radius: radius, fill: fill.value)
    }

    mutating func append(_ source: String) { svg += source }

    /// Defines a clip, and returns the attribute that uses it.
    private mutating func clip(to frame: Rectangle, radius: Double) -> String {
        clips += 1
        svg += "<clipPath id=\"c\(clips)\"><rect \(Self.place(frame)) rx=\"\(radius.plain)\"/></clipPath>"
        return "clip-path=\"url(#c\(clips))\""
    }

    static func place(_ frame: Rectangle) -> String {
        "x=\"\(frame.x.plain)\" y=\"\(frame.y.plain)\" width=\"\(frame.width.plain)\" height=\"\(frame.height.plain)\""
    }
}
