internal import Feeds
internal import Layout

extension PagePicture {
    /// Returns the picture as a self-contained SVG document.
    func svg(isWhole: Bool, on sketch: inout Sketch) -> String {
        let (bezel, width) = (device.bezel, device.screen.width)
        let height = isWhole ? device.fullHeight(of: scene.content) : device.screen.height
        drawTop(on: &sketch)
        let visible = Rectangle(x: 0, y: 0, width: width, height: height - device.contentTop)
        sketch.group(clippedTo: Rectangle(x: 0, y: device.contentTop, width: width, height: visible.height), x: 0, y: device.contentTop) {
            for section in scene.sections where intersects(section.frame, visible) { draw(section, within: visible, on: &$0) }
        }
        if device.bottomInset > 0 {
            let bar = min(width * 0.36, 220)
            sketch.rectangle(
                Rectangle(x: (width - bar) / 2, y: height - 13, width: bar, height: 5), radius: 2.5, fill: CellDrawing.Color.label)
        }
        let (outerWidth, outerHeight) = (width + 2 * bezel, height + 2 * bezel)
        let drawn = sketch.cut()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(outerWidth.plain) \(outerHeight.plain)" width="\(outerWidth.plain)" \
            height="\(outerHeight.plain)" \(textAttributes)>
            <title>\(scene.title.escaped)</title>
            <defs>
            \(Sketch.shadeDefinition)\(sketch.images.definitions)<clipPath id="screen"><rect width="\(width.plain)" \
            height="\(height.plain)" rx="\(device.screenRadius.plain)"/></clipPath>
            </defs>
            <rect width="\(outerWidth.plain)" height="\(outerHeight.plain)" rx="\(device.radius.plain)" fill="#1d1d21"/>
            <g transform="translate(\(bezel.plain) \(bezel.plain))" clip-path="url(#screen)">
            <rect width="\(width.plain)" height="\(height.plain)" fill="\(CellDrawing.Color.page)"/>
            \(drawn)</g>
            </svg>

            """
    }

    /// The typefaces, and the direction and the language of texts.
    var textAttributes: String {
        "font-family=\"-apple-system, 'SF Pro Text', Inter, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'VL PGothic', sans-serif\""
            + (scene.isRightToLeft ? " direction=\"rtl\"" : "")
            + (content.page.locale.isEmpty ? "" : " xml:lang=\"\(content.page.locale.escaped)\"")
    }

    private func draw(_ section: PreviewScene.Section, within visible: Rectangle, on sketch: inout Sketch) {
        drawFixed(section, on: &sketch) { intersects($0, visible) }
        guard let scroller = section.scroller else { return }
        let (dx, dy) = scroller.shift
        let clip =
            scroller.isHorizontal
            ? Rectangle(x: scroller.viewport.x, y: section.frame.y - 20, width: scroller.viewport.width, height: section.frame.height + 40)
            : scroller.viewport
        sketch.group(clippedTo: clip, x: dx, y: dy) { sketch in
            drawCells(of: section, on: &sketch) { frame in
                intersects(Rectangle(x: frame.x + dx, y: frame.y + dy, width: frame.width, height: frame.height), visible)
            }
        }
    }

    private func intersects(_ frame: Rectangle, _ other: Rectangle) -> Bool {
        frame.x < other.maxX && other.x < frame.maxX && frame.y < other.maxY && other.y < frame.maxY
    }
}
