internal import Layout

/// The drawing of one cell with an item or a card.
struct CellDrawing {
    enum Color {
        static let label = "#1c1c1e", secondary = "#6e6e73", accent = "#0066d6", fill = "#eeeef0", separator = "#e3e3e8", page = "#ffffff"
        /// The background of badges and of cards without an image, and the color of small texts on it.
        static let tint = "#e3effd", text = "#48484a"
    }

    let frame: Rectangle
    let content: CellContent
    /// The position in the section, from one.
    let number: Int
    let isRightToLeft: Bool
    /// The margin of a cell that is as wide as the page.
    let margin: Double
    /// Whether the next cell is below this one.
    let hasNextBelow: Bool
    /// The color of buttons, links and kickers.
    let accent: String
    /// The colors and the separators of the list, if the cell is a row of one.
    var listStyle: PreviewScene.ListStyle?

    func draw(_ style: CellStyle, on sketch: inout Sketch) {
        switch style {
        case .row(let isRanked): drawRow(isRanked: isRanked, on: &sketch)
        case .suggestion: drawSuggestion(on: &sketch)
        case _ where content.isCard && margin > 0: inset.draw(style, on: &sketch)
        case _ where !content.showsImage: drawTexts(on: &sketch)
        case .poster: drawPoster(isHero: false, on: &sketch)
        case .hero: drawPoster(isHero: true, on: &sketch)
        case .card: drawCard(on: &sketch)
        }
    }

    /// The drawing between the margins of the page, with space to the cells above and below.
    private var inset: CellDrawing {
        let inner = Rectangle(
            x: frame.x + margin, y: frame.y + 8, width: max(0, frame.width - 2 * margin), height: max(0, frame.height - 16))
        return CellDrawing(
            frame: inner, content: content, number: number, isRightToLeft: isRightToLeft, margin: 0, hasNextBelow: hasNextBelow,
            accent: accent, listStyle: listStyle)
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
        var x = margin
        if content.showsImage {
            let square = box(x, (frame.height - side) / 2, side, side)
            sketch.image(content.image(in: square), in: square, radius: side * 0.22)
            x += side + (isSmall ? 8 : 12)
        }
        if isRanked {
            let font = Font(16, .semibold)
            let width = font.width(of: "\(number)") + 2
            sketch.text("\(number)", in: box(x, 0, width + 4, 0), baseline: frame.y + frame.height / 2 - 3, font, Color.label)
            x += max(18, width) + 6
        }
        var end = frame.width - margin
        if frame.width >= 220, !isSmall, let button = content.button {
            end -= draw(button: button, trailingAt: end, y: frame.height / 2 - 14.5, on: &sketch) + 12
        }
        drawRowTexts(from: x, to: end, on: &sketch)
        if hasNextBelow { separate(from: x, on: &sketch) }
    }

    private func drawRowTexts(from x: Double, to end: Double, on sketch: inout Sketch) {
        let title = Font(frame.height < 40 ? 13 : frame.height > 76 ? 17 : 16, .medium)
        let above = Font(11, .semibold)
        let kicker = frame.height >= 56 ? content.kicker : nil
        var lines: [(text: String, font: Font)] = []
        if let subtitle = content.subtitle, frame.height >= 40 { lines.append((subtitle, Font(13))) }
        if let facts = content.facts, frame.height >= (content.subtitle == nil ? 40 : 72) { lines.append((facts, Font(12))) }
        var height = lines.reduce((kicker == nil ? 0 : above.leading + 2) + title.leading) { $0 + $1.font.leading + 1 }
        if let body = content.body {
            let font = Font(13)
            let texts = font.lines(ofParagraphs: body, in: end - x, maximum: Self.count(frame.height - height - 20, by: font.leading + 1))
            lines += texts.map { (text: $0, font: font) }
            height += Double(texts.count) * (font.leading + 1)
        }
        var baseline = frame.y + (frame.height - height) / 2 + title.size * 0.96
        if let kicker {
            let line = baseline - title.size * 0.96 + above.size * 0.96
            sketch.text(kicker, in: box(x, 0, end - x, 0), baseline: line, above, accent)
            baseline += above.leading + 2
        }
        if let text = content.title { draw(title: text, title, from: x, to: end, baseline, on: &sketch) }
        for line in lines {
            baseline += line.font.leading + 2
            sketch.text(line.text, in: box(x, 0, end - x, 0), baseline: baseline, line.font, Color.secondary)
        }
    }

    /// Draws the title of a row, with the badge after it.
    private func draw(title text: String, _ font: Font, from x: Double, to end: Double, _ baseline: Double, on sketch: inout Sketch) {
        var room = end - x
        if let badge = content.badge {
            let width = pillWidth(badge)
            let full = font.width(of: text)
            let titleWidth = min(full, room - width - 6)
            if titleWidth >= min(full, 40) {
                drawPill(badge, in: box(x + titleWidth + 6, baseline - frame.y - font.size * 0.36 - 8, width, 16), on: &sketch)
                room = titleWidth + 1
            }
        }
        sketch.text(text, in: box(x, 0, room, 0), baseline: baseline, font, Color.label)
    }

    /// Returns the number of lines that fit into a height.
    private static func count(_ height: Double, by leading: Double) -> Int { Int(min(100, max(0, height / leading))) }

    private func drawSuggestion(on sketch: inout Sketch) {
        let middle = frame.y + frame.height / 2
        let glass = box(margin, 0, 16, 0)
        sketch.path(
            "M\((glass.x + 12).plain) \((middle - 1).plain)a5.5 5.5 0 1 0 -11 0a5.5 5.5 0 1 0 11 0M\((glass.x + 10.6).plain) \((middle + 3).plain)l4.4 4.4",
            stroke: Color.secondary, width: 1.7)
        let x = margin + 28
        sketch.text(content.title ?? "", in: box(x, 0, frame.width - x - margin, 0), baseline: middle + 6, Font(17), accent)
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
    private func draw(
        button text: String, trailingAt end: Double, y: Double, isOnImage: Bool = false, on sketch: inout Sketch
    ) -> Double {
        let font = Font(14, .bold)
        let width = width(ofButton: text)
        let capsule = box(end - width, y, width, 29)
        sketch.rectangle(capsule, radius: 14.5, fill: isOnImage ? Color.page : Color.fill)
        sketch.text(text, in: capsule, baseline: capsule.y + 19.5, font, accent, .center)
        return width
    }

    private func width(ofButton text: String) -> Double { min(max(64, Font(14, .bold).width(of: text) + 26), frame.width * 0.4) }
}

// MARK: Cards and posters

extension CellDrawing {
    private func drawCard(on sketch: inout Sketch) {
        let title = Font(frame.width < 130 ? 13 : 15, .medium)
        let detail = Font(frame.width < 130 ? 11.5 : 13)
        let above = Font(11, .semibold)
        var text = content.prefersFacts ? content.facts ?? content.subtitle : content.subtitle ?? content.facts
        var height = (content.title == nil ? 0 : title.leading) + 5 + (text == nil ? 0 : detail.leading)
        if frame.height - height < 56 {
            text = nil
            height = title.leading + 5
        }
        let kicker = frame.height - height - above.leading < 56 ? nil : content.kicker
        if kicker != nil { height += above.leading }
        guard frame.height - height >= 44, frame.width >= 56 else { return drawPoster(isHero: false, on: &sketch) }
        // The image keeps the larger part of the cell.
        let room = min(frame.height * 0.4, frame.height - height - 56)
        let maximum = Self.count(room, by: detail.leading)
        let body = content.body.map { detail.lines(ofParagraphs: $0, in: frame.width - 2, maximum: maximum) } ?? []
        height += Double(body.count) * detail.leading
        let picture = box(0, 0, frame.width, frame.height - height)
        let isSquare = abs(picture.width / picture.height - 1) < 0.25
        sketch.image(content.image(in: picture), in: picture, radius: min(picture.width, picture.height) * (isSquare ? 0.18 : 0.13))
        if let badge = content.badge {
            drawPill(badge, in: box(8, 8, min(pillWidth(badge), frame.width - 16), 16), isOnImage: true, on: &sketch)
        }
        let line = box(1, 0, frame.width - 2, 0)
        var top = picture.maxY + 5
        if let kicker {
            sketch.text(kicker, in: line, baseline: top + above.size * 0.9, above, accent)
            top += above.leading
        }
        var baseline = top + title.size * 0.9
        if let text = content.title {
            sketch.text(text, in: line, baseline: baseline, title, Color.label)
        } else {
            baseline -= detail.leading
        }
        baseline += 1
        for text in [text].compactMap(\.self) + body {
            baseline += detail.leading
            sketch.text(text, in: line, baseline: baseline, detail, Color.secondary)
        }
    }

    private func drawPoster(isHero: Bool, on sketch: inout Sketch) {
        let side = min(frame.width, frame.height)
        let radius = min(18, side * 0.13)
        sketch.image(content.image(in: frame), in: frame, radius: radius)
        let pad = min(18, max(7, side * 0.075))
        let title = Font(isHero ? 24 : min(22, max(11, side * 0.1)), .bold)
        let detail = Font(isHero ? 15 : min(15, max(10.5, side * 0.075)))
        let above = Font(isHero ? 13 : min(13, max(10, side * 0.065)), .semibold)
        let button = isHero && frame.width >= 240 && frame.height >= 120 ? content.button : nil
        let room = frame.width - 2 * pad - (button.map { width(ofButton: $0) + 14 } ?? 0)
        let lines = content.title.map { title.lines(of: $0, in: room, maximum: frame.height > 5 * title.leading ? 2 : 1) } ?? []
        var height = Double(lines.count) * title.leading
        let hasDetail = content.subtitle != nil && frame.height >= height + detail.leading + 2 * pad + 24
        if hasDetail { height += detail.leading + 3 }
        let kicker = frame.height >= height + above.leading + 2 * pad + 24 ? content.kicker : nil
        if kicker != nil { height += above.leading + 2 }
        if height > 0 {
            // The shade keeps white text readable on every image.
            let shade = min(frame.height, height + 3.2 * pad + 34)
            sketch.shade(Rectangle(x: frame.x, y: frame.maxY - shade, width: frame.width, height: shade), in: frame, radius: radius)
        }
        if let badge = content.badge, frame.height >= 90 {
            drawPill(badge, in: box(pad, pad, min(pillWidth(badge), frame.width - 2 * pad), 16), isOnImage: true, on: &sketch)
        }
        var top = frame.maxY - pad - height
        if let kicker {
            sketch.text(kicker, in: box(pad, 0, room, 0), baseline: top + above.size * 0.92, above, Color.page)
            top += above.leading + 2
        }
        for line in lines {
            sketch.text(line, in: box(pad, 0, room + 1, 0), baseline: top + title.size * 0.92, title, Color.page)
            top += title.leading
        }
        if hasDetail, let subtitle = content.subtitle {
            let baseline = top + title.size * 0.92 - title.leading + detail.leading + 4
            sketch.text(subtitle, in: box(pad, 0, room, 0), baseline: baseline, detail, "#f2f2f7")
        }
        if let button {
            draw(button: button, trailingAt: frame.width - pad, y: frame.height - pad - 31, isOnImage: true, on: &sketch)
        }
    }

    /// Draws the texts of a card without an image on a colored background.
    private func drawTexts(on sketch: inout Sketch) {
        let side = min(frame.width, frame.height)
        let pad = min(18, max(7, side * 0.075))
        sketch.rectangle(frame, radius: min(18, side * 0.13), fill: Color.tint)
        var top = frame.y + pad
        if let badge = content.badge, frame.height >= 90 {
            drawPill(badge, in: box(pad, pad, min(pillWidth(badge), frame.width - 2 * pad), 16), isOnImage: true, on: &sketch)
            top += 22
        }
        let small = min(15, max(10.5, side * 0.075))
        let texts: [(text: String?, font: Font, color: String, maximum: Int)] = [
            (content.kicker, Font(min(13, small), .semibold), accent, 1),
            (content.title, Font(min(22, max(11, side * 0.1)), .bold), Color.label, 3),
            (content.subtitle, Font(small), Color.text, 2), (content.body, Font(small), Color.text, 100),
        ]
        for (text, font, color, maximum) in texts {
            guard let text else { continue }
            let maximum = min(maximum, Self.count(frame.maxY - pad - top, by: font.leading))
            for line in font.lines(ofParagraphs: text, in: frame.width - 2 * pad, maximum: maximum) {
                sketch.text(line, in: box(pad, 0, frame.width - 2 * pad + 1, 0), baseline: top + font.size * 0.92, font, color)
                top += font.leading
            }
            top += 2
        }
    }

    private static let pillFont = Font(10, .bold)

    private func pillWidth(_ badge: String) -> Double { Self.pillFont.width(of: badge) + 13 }

    private func drawPill(_ badge: String, in box: Rectangle, isOnImage: Bool = false, on sketch: inout Sketch) {
        sketch.rectangle(box, radius: 8, fill: isOnImage ? Color.page : Color.tint, opacity: isOnImage ? 0.94 : 1)
        sketch.text(badge, in: box, baseline: box.y + 11.6, Self.pillFont, accent, .center)
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
