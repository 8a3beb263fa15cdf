internal import Layout
internal import Values

/// A scene as terminal text: the sections with their titles, marks at the edges of scrollers, and the end of the first screen.
package struct TextRenderer {
    private let scene: PreviewScene
    private let isColored: Bool
    /// The maximum length of a line.
    private let width: Int
    private let columns: Int
    /// The points of one column and of one row. A character is about twice as high as wide.
    private let grid: (x: Double, y: Double)
    /// The number of rows after which a page is summarized in numbers.
    private static let maxRows = 160
    private static let rowsOfScreen = 48

    package init(_ scene: PreviewScene, width: Int, isColored: Bool) {
        self.scene = scene
        self.isColored = isColored
        self.width = width
        // Use a width at which a screen's height fits into one view. The last columns are for marks next to the page.
        let handy = Int(min(max(scene.screen.width / max(scene.screen.height, 1), 0.4), 2) * Double(2 * Self.rowsOfScreen))
        columns = max(8, min(width - 3, handy))
        let x = max(scene.isVertical ? scene.content.width : min(scene.content.width, scene.screen.width * 2), 1) / Double(columns)
        grid = (x, 2 * x)
    }

    package var text: String {
        var lines = [cut("\(scene.title) on \(scene.screenTitle)")]
        if scene.isVertical {
            for (index, section) in scene.sections.enumerated() where lines.count < Self.maxRows {
                lines += self.lines(of: section, index)
            }
            if !scene.headers.isEmpty { lines.append(rule("page: " + scene.headers.map { $0.text.printable() }.joined(separator: ", "))) }
        } else {
            lines += sideways
        }
        if lines.count > Self.maxRows {
            lines = lines.prefix(Self.maxRows) + [cut("… \(scene.content.height.plain) points high in total")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a section without its title, in at most `maximum` lines.
    func sheet(of index: Int, lines maximum: Int) -> [String] {
        guard scene.sections.indices.contains(index) else { return [] }
        return Array(sheet(of: scene.sections[index], index).prefix(maximum))
    }

    private func lines(of section: PreviewScene.Section, _ index: Int) -> [String] {
        var lines = sheet(of: section, index)
        if let row = foldRow(in: section), lines.indices.contains(row) { lines.insert(rule("end of the first screen", "╌"), at: row) }
        return [rule(section.title)] + lines + rests(section)
    }

    private func sheet(of section: PreviewScene.Section, _ index: Int) -> [String] {
        let height = min(Self.maxRows + 1, column((section.frame.height / grid.y).rounded(.up)))
        var canvas = TextCanvas(width: min(width, columns + 2), height: height)
        let origin = (x: 0.0, y: section.frame.y)
        draw(section, index, on: &canvas, origin)
        if let scroller = section.scroller, scroller.isHorizontal, scroller.contentExtent > scroller.viewport.width + 1 {
            let row = column(((scroller.viewport.y + scroller.viewport.height / 2 - origin.y) / grid.y).rounded(.down))
            canvas.write(scene.isRightToLeft ? "‹" : "›", columns + 1, row, nil)
        }
        var lines = canvas.lines(isColored: isColored)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private func draw(_ section: PreviewScene.Section, _ index: Int, on canvas: inout TextCanvas, _ origin: (x: Double, y: Double)) {
        let color = Palette.tint(index).terminal
        for background in section.backgrounds { box(background.frame, "", on: &canvas, origin, color: 2) }
        let (dx, dy) = section.scroller?.shift ?? (0, 0)
        let moved = (x: origin.x - dx, y: origin.y - dy)
        for cell in section.cells { box(cell.frame, cell.textWithEffects.printable(limit: 100), on: &canvas, moved, color: color) }
        for badge in section.badges { bar(badge, on: &canvas, moved, color: 31) }
        for header in section.headers { bar(header, on: &canvas, origin, color: 1) }
    }

    private func box(_ frame: Rectangle, _ word: String, on canvas: inout TextCanvas, _ origin: (x: Double, y: Double), color: Int) {
        let x = range(frame.x - origin.x, frame.maxX - origin.x, grid.x, least: 1)
        let y = range(frame.y - origin.y, frame.maxY - origin.y, grid.y, least: 1)
        // Skip a box that is completely outside the sheet.
        guard x.lowerBound < columns + 2, x.upperBound > 0, y.lowerBound <= Self.maxRows else { return }
        canvas.box(columns: x, rows: y, word, color: color)
    }

    private func bar(_ label: PreviewScene.Label, on canvas: inout TextCanvas, _ origin: (x: Double, y: Double), color: Int) {
        let x = range(label.frame.x - origin.x, label.frame.maxX - origin.x, grid.x, least: 1).clamped(to: 0..<columns + 2)
        let y = range(label.frame.y - origin.y, label.frame.maxY - origin.y, grid.y, least: 1)
        guard !x.isEmpty else { return }
        let row = y.lowerBound + y.count / 2
        canvas.fill(columns: x, row: row, "▔", color: color)
        let mark = label.isStretchy ? "⇕ " : ""
        canvas.write(String("▔ \(mark)\(label.text.printable()) ".prefix(x.count)), x.lowerBound, row, color)
    }

    private func range(_ start: Double, _ end: Double, _ unit: Double, least: Int) -> Range<Int> {
        let first = column(start / unit)
        return first..<max(first + least, column(end / unit))
    }

    /// Returns the column of a position, clamped far beyond any sheet so that nothing overflows.
    private func column(_ value: Double) -> Int { Int(min(max(value.rounded(), -1e6), 1e6)) }

    private func foldRow(in section: PreviewScene.Section) -> Int? {
        let fold = scene.screen.height
        guard section.frame.y < fold, fold < section.frame.maxY, fold < scene.content.height else { return nil }
        return column((fold - section.frame.y) / grid.y)
    }

    private func rests(_ section: PreviewScene.Section) -> [String] {
        // On a page with items, the titles matter more than the resting offsets.
        guard let scroller = section.scroller, !scroller.restingOffsets.isEmpty, section.cells.first?.title == nil else { return [] }
        let printed = scroller.restingOffsets.prefix(6).map(\.plain).joined(separator: ", ")
        return [cut("rests at \(printed)\(scroller.restingOffsets.count > 6 ? " …" : "")")]
    }

    private func rule(_ title: String, _ dash: Character = "─") -> String {
        let line = String(repeating: dash, count: 2) + " \(title) "
        let rest = cut(line + String(repeating: dash, count: max(0, columns - line.columns)))
        return isColored ? "\u{1B}[2m\(rest)\u{1B}[0m" : rest
    }

    private func cut(_ line: String) -> String { line.columns > width ? line.prefix(columns: max(0, width - 1)) + "…" : line }

    /// The drawing of a page that scrolls horizontally, on one sheet.
    private var sideways: [String] {
        let height = min(Self.maxRows, column((scene.content.height / grid.y).rounded(.up)))
        var canvas = TextCanvas(width: min(width, columns + 2), height: height)
        for (index, section) in scene.sections.enumerated() { draw(section, index, on: &canvas, (0, 0)) }
        if scene.content.width > Double(columns) * grid.x { canvas.write("›", columns + 1, height / 2, nil) }
        return scene.sections.map { rule($0.title) } + canvas.lines(isColored: isColored)
    }
}
