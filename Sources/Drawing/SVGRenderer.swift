internal import Layout
internal import Values

/// A scene as a self-contained picture: the page, the end of the first screen, and the content beyond the edge of each
/// scroller.
package struct SVGRenderer {
    private let scene: PreviewScene
    private let margin = 28.0
    private let caption = 58.0
    /// The width of the content that is drawn beyond the edge of the screen.
    private let beyond: Double
    private let drawn: PointSize

    package init(_ scene: PreviewScene) {
        self.scene = scene
        let scrolls = scene.sections.contains { $0.scroller.map { $0.contentExtent > $0.viewport.width + 1 } ?? false }
        beyond = scrolls ? min(scene.screen.width * 0.5, 260) : 0
        // Cut the page a little below the fold, so that both are visible.
        let maximum = 1.35 * (scene.isVertical ? scene.screen.height : scene.screen.width)
        drawn =
            scene.isVertical
            ? PointSize(width: scene.content.width, height: max(80, min(scene.content.height + 12, maximum)))
            : PointSize(width: max(80, min(scene.content.width, maximum)), height: scene.content.height)
    }

    package var text: String {
        let width = drawn.width + beyond + 2 * margin
        let height = drawn.height + caption + margin + (rests.isEmpty ? 0 : 6)
        let left = margin + (scene.isRightToLeft ? beyond : 0)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.plain) \(height.plain)" width="\(width.plain)" \
            height="\(height.plain)" font-family="-apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
            <title>\(scene.title.escaped)</title>
            <rect width="100%" height="100%" rx="18" fill="#eef0f5"/>
            <text x="\(margin.plain)" y="27" font-size="15" font-weight="600" fill="#1c2033">\(scene.title.escaped)</text>
            <text x="\(margin.plain)" y="43" font-size="10.5" fill="#6a7086">\(subtitle.escaped)</text>
            <g transform="translate(\(left.plain) \(caption.plain))">
            <clipPath id="page"><rect width="\(drawn.width.plain)" height="\(drawn.height.plain)" rx="14"/></clipPath>
            <rect x="-1" y="-1" width="\((drawn.width + 2).plain)" height="\((drawn.height + 2).plain)" rx="15" fill="#ffffff" stroke="#d5d9e4"/>

            """
        svg += scene.sections.enumerated().map { waiting($1, Palette.tint($0), $0) }.joined()
        svg += "<g clip-path=\"url(#page)\">\n"
        svg += scene.sections.enumerated().map { section($1, Palette.tint($0), $0) }.joined()
        svg += scene.headers.map(header).joined()
        svg += "</g>\n" + fold + rests + "</g>\n</svg>\n"
        return svg
    }

    private var subtitle: String { "\(scene.screenTitle) — \(scene.sections.map(\.title).prefix(3).joined(separator: ", "))" }

    private func section(_ section: PreviewScene.Section, _ tint: Palette.Tint, _ index: Int) -> String {
        guard isDrawn(section.frame) else { return "" }
        var svg = listBackground(section) + section.backgrounds.enumerated().map { background($1, "fill\(index)-\($0)") }.joined()
        if let scroller = section.scroller {
            let clip = "scroller\(index)"
            let view = scroller.viewport
            svg += "<clipPath id=\"\(clip)\">\(rect(Rectangle(x: view.x, y: -9999, width: view.width, height: 99_999), ""))</clipPath>"
            svg += "<g clip-path=\"url(#\(clip))\">\(moved(section, tint, beyond: 0))</g>\n"
        } else {
            svg += cells(section, tint) { isDrawn($0) } + separators(section)
        }
        return svg + section.headers.map(header).joined()
    }

    private func waiting(_ section: PreviewScene.Section, _ tint: Palette.Tint, _ index: Int) -> String {
        guard section.scroller?.isHorizontal == true, isDrawn(section.frame), beyond > 0 else { return "" }
        let x = scene.isRightToLeft ? -beyond : drawn.width
        let strip = Rectangle(x: x, y: 0, width: beyond, height: drawn.height)
        return "<clipPath id=\"beyond\(index)\">\(rect(strip, ""))</clipPath>"
            + "<g clip-path=\"url(#beyond\(index))\" opacity=\"0.38\">\(moved(section, tint, beyond: beyond))</g>\n"
    }

    private func moved(_ section: PreviewScene.Section, _ tint: Palette.Tint, beyond: Double) -> String {
        guard let scroller = section.scroller else { return "" }
        let (dx, dy) = scroller.shift
        let near = -beyond...(drawn.width + beyond)
        let shapes = cells(section, tint) { $0.maxX + dx > near.lowerBound && $0.x + dx < near.upperBound && $0.y + dy < drawn.height }
        return "<g transform=\"translate(\(dx.plain) \(dy.plain))\">\n\(shapes)</g>"
    }

    private func cells(_ section: PreviewScene.Section, _ tint: Palette.Tint, where isVisible: (Rectangle) -> Bool) -> String {
        let groups = section.groups.filter(isVisible).map {
            rect($0, "rx=\"6\" fill=\"none\" stroke=\"#c3c9d8\" stroke-width=\"0.75\" stroke-dasharray=\"3 3\"") + "\n"
        }
        let cells = section.cells.filter { isVisible($0.frame) }.map { cell($0, tint, section.listStyle) }
        return groups.joined() + cells.joined() + section.badges.filter { isVisible($0.frame) }.map(badge).joined()
    }

    private func cell(_ cell: PreviewScene.Cell, _ tint: Palette.Tint, _ style: PreviewScene.ListStyle?) -> String {
        let side = min(cell.frame.width, cell.frame.height)
        guard side > 0 else { return "" }
        let fill = style?.rowBackground ?? (cell.isLarge ? tint.strong : tint.soft)
        let shape = rect(
            cell.frame, "rx=\"\(min(12, side * 0.16).plain)\" fill=\"\(fill)\" stroke=\"\(tint.border)\" stroke-width=\"0.75\"")
        var text = ""
        if let frame = cell.contentFrame {
            text =
                cell.title.map { lines(of: $0, in: frame, fill: tint.ink) }
                ?? label("\(cell.number)", in: frame, size: max(5, min(22, side * 0.32)), fill: tint.ink, weight: 600)
        }
        guard cell.opacity < 0.995 else { return shape + text + "\n" }
        return "<g opacity=\"\(cell.opacity.plain)\">\(shape)\(text)</g>\n"
    }

    private func listBackground(_ section: PreviewScene.Section) -> String {
        section.listStyle?.background.map { rect(section.frame, "fill=\"\($0)\"") + "\n" } ?? ""
    }

    private func separators(_ section: PreviewScene.Section) -> String {
        guard let style = section.listStyle, style.drawsSeparators else { return "" }
        return section.cells.dropLast().filter { isDrawn($0.frame) }.map { cell in
            let line = style.separator(below: cell.frame, isRightToLeft: scene.isRightToLeft)
            return rect(line, "fill=\"\(style.separatorColor ?? CellDrawing.Color.separator)\"") + "\n"
        }.joined()
    }

    /// Returns the lines of a title that fit into a frame, estimated from the average width of a letter.
    private func lines(of title: String, in frame: Rectangle, fill: String) -> String {
        let size = max(6, min(12, frame.height * 0.3))
        let room = max(1, Int((frame.width - 8) / (size * 0.56)))
        let lines = title.broken(into: room).prefix(max(1, Int((frame.height - 4) / (size * 1.25))))
        let top = frame.y + frame.height / 2 - Double(lines.count - 1) * size * 0.625
        return lines.enumerated().map { index, line in
            let y = top + Double(index) * size * 1.25 - size / 2
            return label(line, in: Rectangle(x: frame.x, y: y, width: frame.width, height: size), size: size, fill: fill, weight: 500)
        }.joined()
    }

    private func header(_ header: PreviewScene.Label) -> String {
        guard isDrawn(header.frame) else { return "" }
        let size = max(6, min(13, header.frame.height * 0.4))
        if header.pages != nil {
            return label(header.text, in: header.frame, size: max(6, min(11, size * 1.2)), fill: "#4a5168", weight: 600) + "\n"
        }
        let text = header.isStretchy ? "⇕ \(header.text)" : header.text
        return rect(header.frame, "fill=\"#e6e9f1\" fill-opacity=\"0.92\"")
            + rect(
                Rectangle(x: header.frame.x, y: header.frame.maxY - 0.75, width: header.frame.width, height: 0.75), "fill=\"#cbd1df\"")
                + """
                <text x="\((header.frame.x + 12).plain)" y="\((header.frame.y + header.frame.height / 2 + size * 0.35).plain)" \
                font-size="\(size.plain)" font-weight="600" fill="#4a5168">\(text.escaped)</text>

                """
    }

    private func background(_ background: PreviewScene.Label, _ id: String) -> String {
        let radius = background.cornerRadius ?? 16
        guard let fill = background.fill?.svg(id: id) else {
            return rect(background.frame, "rx=\"\(radius.plain)\" fill=\"#eceff7\" stroke=\"#d9deeb\"") + "\n"
        }
        return fill.definition + rect(background.frame, "rx=\"\(radius.plain)\" fill=\"\(fill.value)\"") + "\n"
    }

    private func badge(_ badge: PreviewScene.Label) -> String {
        let radius = min(8, badge.frame.height / 2)
        return rect(badge.frame, "rx=\"\(radius.plain)\" fill=\"#e5484d\" stroke=\"#ffffff\" stroke-width=\"1.5\"")
            + label(badge.text, in: badge.frame, size: max(5, min(11, badge.frame.height * 0.4)), fill: "#ffffff", weight: 600) + "\n"
    }

    private var fold: String {
        let (at, end) = scene.isVertical ? (scene.screen.height, drawn.height) : (scene.screen.width, drawn.width)
        guard at < end - 1 else { return "" }
        let line =
            scene.isVertical
            ? "x1=\"-10\" y1=\"\(at.plain)\" x2=\"\((drawn.width + 10).plain)\" y2=\"\(at.plain)\""
            : "x1=\"\(at.plain)\" y1=\"-10\" x2=\"\(at.plain)\" y2=\"\((drawn.height + 10).plain)\""
        let (x, y) = scene.isVertical ? (drawn.width - 4, at - 4) : (at - 4, 10)
        return "<line \(line) stroke=\"#e5484d\" stroke-width=\"1.25\" stroke-dasharray=\"6 4\"/>"
            + "<text x=\"\(x.plain)\" y=\"\(y.plain)\" text-anchor=\"end\" font-size=\"9\" font-weight=\"600\" fill=\"#e5484d\">end of the first screen</text>\n"
    }

    /// Marks below each scroller the resting positions of its viewport's edge.
    private var rests: String {
        scene.sections.enumerated().map { index, section in
            guard let scroller = section.scroller, scroller.isHorizontal, isDrawn(section.frame) else { return "" }
            let y = min(scroller.viewport.maxY + 4, drawn.height + 6)
            let edge = scene.isRightToLeft ? scroller.viewport.maxX : scroller.viewport.x
            return scroller.restingOffsets.map { rest -> String in
                let x = edge + rest - scroller.offset
                guard x >= -beyond * (scene.isRightToLeft ? 1 : 0) - 1, x <= drawn.width + (scene.isRightToLeft ? 1 : beyond) else {
                    return ""
                }
                return "<path d=\"M\(x.plain) \(y.plain)l4 6h-8z\" fill=\"\(Palette.tint(index).border)\"/>"
            }.joined() + "\n"
        }.joined()
    }

    private func isDrawn(_ frame: Rectangle) -> Bool { frame.y < drawn.height && frame.x < drawn.width }

    private func rect(_ frame: Rectangle, _ style: String) -> String {
        "<rect x=\"\(frame.x.plain)\" y=\"\(frame.y.plain)\" width=\"\(frame.width.plain)\" height=\"\(frame.height.plain)\" \(style)/>"
    }

    private func label(_ text: String, in frame: Rectangle, size: Double, fill: String, weight: Int) -> String {
        let (x, y) = (frame.x + frame.width / 2, frame.y + frame.height / 2 + size * 0.35)
        return """
            <text x="\(x.plain)" y="\(y.plain)" text-anchor="middle" font-size="\(size.plain)" font-weight="\(weight)" \
            fill="\(fill)">\(text.escaped)</text>
            """
    }
}

extension String {
    /// The text escaped for XML text and attributes. Omits characters that XML does not allow.
    var escaped: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// The colors of the sections. They repeat after the last one.
struct Palette {
    struct Tint {
        /// The colors of large cells, small cells, borders and numbers.
        let strong: String, soft: String, border: String, ink: String
        /// The ANSI color number.
        let terminal: Int
    }

    static func tint(_ section: Int) -> Tint { tints[section % tints.count] }

    private static let tints = [
        Tint(strong: "#9db1fb", soft: "#cfd9fd", border: "#6f88ee", ink: "#22306f", terminal: 34),
        Tint(strong: "#7fd3c1", soft: "#c4ebe2", border: "#3fae98", ink: "#0c4a3e", terminal: 36),
        Tint(strong: "#f9bd84", soft: "#fde0c4", border: "#ea9440", ink: "#6b3a08", terminal: 33),
        Tint(strong: "#f0a3c0", soft: "#f9d5e2", border: "#da6f98", ink: "#661b3b", terminal: 35),
        Tint(strong: "#9fcdf5", soft: "#d2e8fb", border: "#5ba3e0", ink: "#123f66", terminal: 32),
    ]
}
