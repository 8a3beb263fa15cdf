internal import Layout

/// A scene as a self-contained HTML page, whose scrollers scroll and snap as the layout specifies.
package struct HTMLRenderer {
    private let scene: PreviewScene

    package init(_ scene: PreviewScene) {
        self.scene = scene
    }

    package var text: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(scene.title.escaped)</title>
        <style>
        body { margin: 0; padding: 28px; background: #eef0f5; color: #1c2033; font: 14px -apple-system, "Segoe UI", Roboto, sans-serif; }
        h1 { font-size: 17px; margin: 0 0 2px; }
        p { margin: 0 0 18px; color: #6a7086; font-size: 12px; }
        .page { position: relative; background: #fff; border-radius: 18px; overflow: hidden; box-shadow: 0 1px 2px #0002, 0 12px 40px #2b35641f; }
        .page div { position: absolute; box-sizing: border-box; }
        .titled { font-size: 12px; text-align: center; padding: 4px; overflow: hidden; overflow-wrap: anywhere; line-height: 1.15; }
        .cell { display: grid; place-items: center; border: 1px solid; font-weight: 600; }
        .header { display: flex; align-items: center; padding-left: 12px; background: #e6e9f1ee; color: #4a5168; font-weight: 600;
          border-bottom: 1px solid #cbd1df; font-size: 12px; overflow: hidden; }
        .background { background: #eceff7; border: 1px solid #d9deeb; border-radius: 16px; }
        .badge { display: grid; place-items: center; background: #e5484d; color: #fff; border: 1.5px solid #fff; border-radius: 8px; font-size: 10px;
          font-weight: 600; overflow: hidden; }
        .pages { display: grid; place-items: center; color: #4a5168; font-size: 10px; }
        .separator { background: #cbd1df; }
        .scroller { overflow: auto hidden; scrollbar-width: thin; }
        .scroller.down { overflow: hidden auto; }
        .rest { width: 1px; height: 1px; scroll-snap-align: start; }
        .fold { border-top: 1.5px dashed #e5484d; color: #e5484d; font-size: 10px; font-weight: 600; text-align: right; padding-right: 6px; }
        </style>
        <h1>\(scene.title.escaped)</h1>
        <p>\(scene.screenTitle.escaped) — \(scene.sections.map(\.title).joined(separator: ", ").escaped)</p>
        <div class="page" style="width:\(scene.content.width.plain)px;height:\(scene.content.height.plain)px">
        \(scene.sections.enumerated().map { section($1, Palette.tint($0)) }.joined())\
        \(scene.headers.map { box("header", $0) }.joined())\(fold)</div>
        \(PreviewScene.Scroller.startScript)
        </html>

        """
    }

    private func section(_ section: PreviewScene.Section, _ tint: Palette.Tint) -> String {
        let list = section.listStyle?.background.map { "<div style=\"\(section.frame.css);background:\($0)\"></div>\n" } ?? ""
        let backgrounds = list + section.backgrounds.map(background).joined()
        let headers = section.headers.map { box($0.pages == nil ? "header" : "pages", $0) }.joined()
        guard let scroller = section.scroller else { return backgrounds + shapes(section, tint, x: 0, y: 0) + headers }
        return backgrounds + self.scroller(scroller, around: section, tint) + headers
    }

    /// Renders a scroller as high as its section. A scrolling box clips its content, and badges may extend above the
    /// viewport.
    private func scroller(_ scroller: PreviewScene.Scroller, around section: PreviewScene.Section, _ tint: Palette.Tint) -> String {
        let (view, lead, extent) = (scroller.viewport, scroller.lead, scroller.scrolledExtent)
        let frame = scroller.isHorizontal ? Rectangle(x: view.x, y: section.frame.y, width: view.width, height: section.frame.height) : view
        let tail = scroller.isHorizontal ? "width:\(extent.plain)px;height:1px" : "height:\(extent.plain)px;width:1px"
        let (x, y) = scroller.isHorizontal ? (lead, -frame.y) : (-frame.x, lead)
        let content = "<div style=\"left:0;top:0;\(tail)\"></div>\(shapes(section, tint, x: x, y: y))"
        return scroller.html(in: frame, content: content)
    }

    private func shapes(_ section: PreviewScene.Section, _ tint: Palette.Tint, x: Double, y: Double) -> String {
        func moved(_ frame: Rectangle) -> Rectangle { Rectangle(x: frame.x + x, y: frame.y + y, width: frame.width, height: frame.height) }
        let cells = section.cells.map { cell in
            let radius = min(12, min(cell.frame.width, cell.frame.height) * 0.16)
            let fill = section.listStyle?.rowBackground ?? (cell.isLarge ? tint.strong : tint.soft)
            let colors = "background:\(fill);border-color:\(tint.border);color:\(tint.ink)\(effects(of: cell))"
            return
                "<div class=\"cell\(cell.title == nil ? "" : " titled\" dir=\"auto")\" "
                + "style=\"\(moved(cell.frame).css);border-radius:\(radius.plain)px;\(colors)\">\(content(of: cell))"
                + "</div>\n"
        }
        let badges = section.badges.map { box("badge", .init(frame: moved($0.frame), text: $0.text)) }
        return cells.joined() + separators(of: section) + badges.joined()
    }

    private func effects(of cell: PreviewScene.Cell) -> String {
        (cell.opacity < 0.995 ? ";opacity:\(cell.opacity.plain)" : "") + (cell.shift == (0, 0) ? "" : ";overflow:hidden")
    }

    private func content(of cell: PreviewScene.Cell) -> String {
        guard cell.shift != (0, 0) else { return cell.text.escaped }
        return "<span style=\"transform:translate(\(cell.shift.x.plain)px,\(cell.shift.y.plain)px)\">\(cell.text.escaped)</span>"
    }

    private func background(_ background: PreviewScene.Label) -> String {
        var style = background.frame.css
        if let fill = background.fill { style += ";background:\(fill.css);border:0" }
        if let radius = background.cornerRadius { style += ";border-radius:\(radius.plain)px" }
        return "<div class=\"background\" style=\"\(style)\"></div>\n"
    }

    private func separators(of section: PreviewScene.Section) -> String {
        guard let style = section.listStyle, style.drawsSeparators else { return "" }
        return section.cells.dropLast().map { cell in
            let color = style.separatorColor.map { ";background:\($0)" } ?? ""
            let line = style.separator(below: cell.frame, isRightToLeft: scene.isRightToLeft)
            return "<div class=\"separator\" style=\"\(line.css)\(color)\"></div>\n"
        }.joined()
    }

    private func box(_ kind: String, _ label: PreviewScene.Label) -> String {
        let mark = label.isStretchy ? "⇕ " : ""
        return "<div class=\"\(kind)\" style=\"\(label.frame.css)\">\(mark)\(label.text.escaped)</div>\n"
    }

    private var fold: String {
        guard scene.isVertical, scene.screen.height < scene.content.height else { return "" }
        return "<div class=\"fold\" style=\"left:0;top:\(scene.screen.height.plain)px;width:100%\">end of the first screen</div>\n"
    }
}
