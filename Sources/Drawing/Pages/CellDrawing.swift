internal import Feeds
internal import Layout

/// The drawing of one cell with its item.
struct CellDrawing {
    enum Color {
        static let label = "#1c1c1e", secondary = "#6e6e73", accent = "#0066d6", fill = "#eeeef0", separator = "#e3e3e8", page = "#ffffff"
    }

    let frame: Rectangle
    let placement: ClientPage.Item
    let item: PageContent.Item
    /// The position of the item in its section, from one.
    let number: Int
    let words: CellWords
    let isRightToLeft: Bool
    /// The margin of a cell that is as wide as the page.
    let margin: Double
    /// Whether the next cell is below this one.
    let hasNextBelow: Bool
    /// The colors and the separators of the list, if the cell is a row of one.
    var listStyle: PreviewScene.ListStyle?

    func draw(_ style: CellStyle, on sketch: inout Sketch) {
        switch style {
        case .row(let isRanked): drawRow(isRanked: isRanked, on: &sketch)
        case .suggestion: drawSuggestion(on: &sketch)
        case .poster: drawPoster(isHero: false, on: &sketch)
        case .hero: drawPoster(isHero: true, on: &sketch)
        case .card: drawCard(on: &sketch)
        }
    }

    /// Returns a box of the cell, whose `x` counts from the leading edge.
    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
        let width = max(0, width)
        return Rectangle(x: isRightToLeft ? frame.maxX - x - width : frame.x + x, y: frame.y + y, width: width, height: height)
    }
}

// MARK: Rows

extension CellDrawing {
    private func drawRow(isRanked: Bool, on sketch: inout Sketch) {
        let side = max(8, min(frame.height - (frame.height > 76 ? 18 : 3), 76))
        let isSmall = frame.height < 40
        sketch.image(item.image, in: box(margin, (frame.height - side) / 2, side, side), radius: side * 0.22)
        var x = margin + side + (isSmall ? 8 : 12)
        if isRanked {
            let font = Font(16, .semibold)
            let width = font.width(of: "\(number)") + 2
            sketch.text("\(number)", in: box(x, 0, width + 4, 0), baseline: frame.y + frame.height / 2 - 3, font, Color.label)
            x += max(18, width) + 6
        }
        var end = frame.width - margin
        if frame.width >= 220, !isSmall { end -= drawButton(trailingAt: end, y: frame.height / 2 - 14.5, on: &sketch) + 12 }
        drawRowTexts(from: x, to: end, on: &sketch)
        if hasNextBelow { separate(from: x, on: &sketch) }
    }

    private func drawRowTexts(from x: Double, to end: Double, on sketch: inout Sketch) {
        let title = Font(frame.height < 40 ? 13 : frame.height > 76 ? 17 : 16, .medium)
        var lines: [(text: String, font: Font)] = []
        if let subtitle = item.subtitle, frame.height >= 40 { lines.append((subtitle, Font(13))) }
        if let facts = words.facts(of: item), frame.height >= (item.subtitle == nil ? 40 : 72) { lines.append((facts, Font(12))) }
        let height = lines.reduce(title.leading) { $0 + $1.font.leading + 1 }
        var baseline = frame.y + (frame.height - height) / 2 + title.size * 0.96
        var room = end - x
        if let badge = placement.badges.first {
            let width = pillWidth(badge)
            let full = title.width(of: placement.title)
            let titleWidth = min(full, room - width - 6)
            if titleWidth >= min(full, 40) {
                drawPill(badge, in: box(x + titleWidth + 6, baseline - frame.y - title.size * 0.36 - 8, width, 16), on: &sketch)
                room = titleWidth + 1
            }
        }
        sketch.text(placement.title, in: box(x, 0, room, 0), baseline: baseline, title, Color.label)
        for line in lines {
            baseline += line.font.leading + 2
            sketch.text(line.text, in: box(x, 0, end - x, 0), baseline: baseline, line.font, Color.secondary)
        }
    }

    private func drawSuggestion(on sketch: inout Sketch) {
        let middle = frame.y + frame.height / 2
        let glass = box(margin, 0, 16, 0)
        sketch.path(
            "M\((glass.x + 12).plain) \((middle - 1).plain)a5.5 5.5 0 1 0 -11 0a5.5 5.5 0 1 0 11 0M\((glass.x + 10.6).plain) \((middle + 3).plain)l4.4 4.4",
            stroke: Color.secondary, width: 1.7)
        let x = margin + 28
        sketch.text(placement.title, in: box(x, 0, frame.width - x - margin, 0), baseline: middle + 6, Font(17), Color.accent)
        if hasNextBelow { separate(from: x, on: &sketch) }
    }

    private func separate(from x: Double, on sketch: inout Sketch) {
        guard listStyle?.hasSeparators != false else { return }
        let insets = listStyle?.separatorInsets ?? .zero
        let start = x + insets.leading.points
        sketch.rectangle(
            box(start, frame.height + (margin > 0 ? -0.5 : 4.5), max(0, frame.width - start - insets.trailing.points), 0.75),
            fill: listStyle?.separatorColor ?? Color.separator)
    }

    /// Draws the button at the trailing edge, and returns its width.
    @discardableResult
    private func drawButton(trailingAt end: Double, y: Double, isOnImage: Bool = false, on sketch: inout Sketch) -> Double {
        let font = Font(14, .bold)
        let text = words.button(of: item)
        let width = min(max(64, font.width(of: text) + 26), frame.width * 0.4)
        let capsule = box(end - width, y, width, 29)
        sketch.rectangle(capsule, radius: 14.5, fill: isOnImage ? Color.page : Color.fill)
        sketch.text(text, in: capsule, baseline: capsule.y + 19.5, font, Color.accent, .center)
        return width
    }
}

// MARK: Cards and posters

extension CellDrawing {
    private func drawCard(on sketch: inout Sketch) {
        let title = Font(frame.width < 130 ? 13 : 15, .medium)
        let detail = Font(frame.width < 130 ? 11.5 : 13)
        let facts = words.facts(of: item)
        var text = item.isFood ? facts ?? item.subtitle : item.subtitle ?? facts
        var height = title.leading + 5 + (text == nil ? 0 : detail.leading)
        if frame.height - height < 56 {
            text = nil
            height = title.leading + 5
        }
        guard frame.height - height >= 44, frame.width >= 56 else { return drawPoster(isHero: false, on: &sketch) }
        let picture = box(0, 0, frame.width, frame.height - height)
        let isSquare = abs(picture.width / picture.height - 1) < 0.25
        sketch.image(item.image, in: picture, radius: min(picture.width, picture.height) * (isSquare ? 0.18 : 0.13))
        if let badge = placement.badges.first {
            drawPill(badge, in: box(8, 8, min(pillWidth(badge), frame.width - 16), 16), isOnImage: true, on: &sketch)
        }
        let baseline = picture.maxY + 5 + title.size * 0.9
        sketch.text(placement.title, in: box(1, 0, frame.width - 2, 0), baseline: baseline, title, Color.label)
        if let text {
            sketch.text(text, in: box(1, 0, frame.width - 2, 0), baseline: baseline + detail.leading + 1, detail, Color.secondary)
        }
    }

    private func drawPoster(isHero: Bool, on sketch: inout Sketch) {
        let side = min(frame.width, frame.height)
        let radius = min(18, side * 0.13)
        sketch.image(item.image, in: frame, radius: radius)
        let pad = min(18, max(7, side * 0.075))
        let title = Font(isHero ? 24 : min(22, max(11, side * 0.1)), .bold)
        let detail = Font(isHero ? 15 : min(15, max(10.5, side * 0.075)))
        let hasButton = isHero && frame.width >= 240 && frame.height >= 120
        let buttonWidth = hasButton ? min(max(64, Font(14, .bold).width(of: words.button(of: item)) + 26), frame.width * 0.4) + 14 : 0
        let room = frame.width - 2 * pad - buttonWidth
        let lines = title.lines(of: placement.title, in: room, maximum: frame.height > 5 * title.leading ? 2 : 1)
        let hasDetail = item.subtitle != nil && frame.height >= Double(lines.count) * title.leading + detail.leading + 2 * pad + 24
        let height = Double(lines.count) * title.leading + (hasDetail ? detail.leading + 3 : 0)
        // The shade keeps white text readable on every image.
        let shade = min(frame.height, height + 3.2 * pad + 34)
        sketch.shade(Rectangle(x: frame.x, y: frame.maxY - shade, width: frame.width, height: shade), in: frame, radius: radius)
        if let badge = placement.badges.first, frame.height >= 90 {
            drawPill(badge, in: box(pad, pad, min(pillWidth(badge), frame.width - 2 * pad), 16), isOnImage: true, on: &sketch)
        }
        var baseline = frame.maxY - pad - height + title.size * 0.92
        for line in lines {
            sketch.text(line, in: box(pad, 0, room + 1, 0), baseline: baseline, title, "#ffffff")
            baseline += title.leading
        }
        if hasDetail, let subtitle = item.subtitle {
            sketch.text(
                subtitle, in: box(pad, 0, room, 0), baseline: baseline - title.leading + detail.leading + 4, detail, "#f2f2f7")
        }
        if hasButton { drawButton(trailingAt: frame.width - pad, y: frame.height - pad - 31, isOnImage: true, on: &sketch) }
    }

    private static let pillFont = Font(10, .bold)

    private func pillWidth(_ badge: String) -> Double { Self.pillFont.width(of: words.badge(badge)) + 13 }

    private func drawPill(_ badge: String, in box: Rectangle, isOnImage: Bool = false, on sketch: inout Sketch) {
        sketch.rectangle(box, radius: 8, fill: isOnImage ? Color.page : "#e3effd", opacity: isOnImage ? 0.94 : 1)
        sketch.text(words.badge(badge), in: box, baseline: box.y + 11.6, Self.pillFont, Color.accent, .center)
    }
}

extension Sketch {
    /// Darkens the lower part of an image.
    mutating func shade(_ part: Rectangle, in image: Rectangle, radius: Double) {
        group(clippedTo: image, radius: radius) { $0.append("<rect \(Self.place(part)) fill=\"url(#shade)\"/>") }
    }

    /// The definition of the gradient of `shade`.
    static let shadeDefinition = """
        <linearGradient id="shade" x2="0" y2="1"><stop offset="0" stop-color="#000000" stop-opacity="0"/>\
        <stop offset="0.55" stop-color="#000000" stop-opacity="0.5"/><stop offset="1" stop-color="#000000" stop-opacity="0.72"/></linearGradient>

        """
}
