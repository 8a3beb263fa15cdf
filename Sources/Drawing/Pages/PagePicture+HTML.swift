internal import Feeds
internal import Layout

extension PagePicture {
    /// Returns the picture as a self-contained HTML page, on whose screen the page and its scrollers scroll and snap.
    func html(on sketch: inout Sketch) -> String {
        drawTop(on: &sketch)
        let top = svg(sketch.cut(), Rectangle(x: 0, y: 0, width: device.screen.width, height: device.contentTop))
        let sections = scene.sections.map { section in
            drawFixed(section, on: &sketch)
            let fixed = svg(sketch.cut(), Rectangle(x: 0, y: 0, width: scene.content.width, height: scene.content.height))
            guard let scroller = section.scroller else { return fixed }
            return fixed + self.scroller(scroller, of: section, &sketch)
        }
        let (bezel, screen) = (device.bezel, device.screen)
        return """
            <!doctype html>
            <html lang="\(content.page.locale.escaped)">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(scene.title.escaped)</title>
            <style>
            body { margin: 0; padding: 28px; background: #eef0f5; font: 13px -apple-system, "Segoe UI", Roboto, sans-serif; }
            p { margin: 14px 0 0; color: #5c6274; }
            .device { width: \(screen.width.plain)px; padding: \(bezel.plain)px; border-radius: \(device.radius.plain)px; background: #1d1d21; }
            .screen { position: relative; height: \(screen.height.plain)px; border-radius: \(device.screenRadius.plain)px; background: #fff;
              overflow: auto; scrollbar-width: none; }
            .page { position: relative; width: \(scene.content.width.plain)px; height: \((scene.content.height + device.bottomInset).plain)px; }
            .top { position: relative; height: \(device.contentTop.plain)px; }
            .page > svg, .top > svg { position: absolute; pointer-events: none; }
            .scroller { position: absolute; overflow: auto hidden; scrollbar-width: none; direction: ltr; }
            .scroller.down { overflow: hidden auto; }
            .scroller > * { position: absolute; }
            .rest { width: 1px; height: 1px; scroll-snap-align: start; }
            </style>
            <div class="device"><div class="screen">
            <svg width="0" height="0" style="position:absolute"><defs>
            \(Sketch.shadeDefinition)\(sketch.images.definitions)</defs></svg>
            <div class="top">\(top)</div>
            <div class="page">
            \(sections.joined())</div>
            </div></div>
            <p>\(scene.title.escaped) — \(scene.screenTitle.escaped)</p>
            \(PreviewScene.Scroller.startScript)
            </html>

            """
    }

    /// Returns the element of a scroller. It is a little higher than its viewport, because it clips its content.
    private func scroller(_ scroller: PreviewScene.Scroller, of section: PreviewScene.Section, _ sketch: inout Sketch) -> String {
        drawCells(of: section, on: &sketch) { _ in true }
        let view = scroller.viewport
        let (lead, extent) = (scroller.lead, scroller.scrolledExtent)
        let frame = scroller.isHorizontal ? Rectangle(x: view.x, y: view.y - 8, width: view.width, height: view.height + 16) : view
        let content =
            scroller.isHorizontal
            ? Rectangle(x: -lead, y: frame.y, width: extent, height: frame.height)
            : Rectangle(x: frame.x, y: -lead, width: frame.width, height: extent)
        return scroller.html(in: frame, content: svg(sketch.cut(), content))
    }

    /// Returns an element that shows a part of a coordinate system.
    private func svg(_ drawn: String, _ part: Rectangle) -> String {
        "<svg viewBox=\"\(part.x.plain) \(part.y.plain) \(part.width.plain) \(part.height.plain)\" width=\"\(part.width.plain)\" "
            + "height=\"\(part.height.plain)\" \(textAttributes)>\n\(drawn)</svg>\n"
    }
}
