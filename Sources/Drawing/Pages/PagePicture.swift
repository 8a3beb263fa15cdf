internal import Artwork
internal import Feeds
internal import Layout
internal import Values

/// A page as a device shows it: cells with their images and texts, on a screen.
package struct PagePicture {
    let scene: PreviewScene
    let content: PageContent
    let device: Device
    private let images: EmbeddedImages

    /// Creates a picture. `images` has the `data:` URLs of images by their URL; a missing image is drawn as its color.
    package init(_ scene: PreviewScene, _ content: PageContent, images: [String: String] = [:]) {
        self.scene = scene
        self.content = content
        self.images = EmbeddedImages(data: images)
        device = Device(screen: scene.screen, safeArea: scene.safeArea, hasTitle: !content.page.title.isEmpty)
    }

    /// The source of a picture.
    package enum Form: Sendable {
        /// A page on whose screen the page and its scrollers scroll.
        case html
        /// The part that the screen shows first, or the whole page on a longer screen.
        case svg(isWhole: Bool)
    }

    package func source(as form: Form) -> String {
        var sketch = sketch
        return source(as: form, on: &sketch)
    }

    /// Returns the URLs of the images of the drawn cells that are not generated artwork, each once.
    package func imageURLs(as form: Form) -> [String] {
        var sketch = sketch
        _ = source(as: form, on: &sketch)
        return sketch.images.requestedURLs
    }

    private var sketch: Sketch { Sketch(images, isRightToLeft: scene.isRightToLeft) }

    private func source(as form: Form, on sketch: inout Sketch) -> String {
        switch form {
        case .html: html(on: &sketch)
        case .svg(let isWhole): svg(isWhole: isWhole, on: &sketch)
        }
    }

    // MARK: Sections

    /// Draws the fixed parts of a section: its background, and its cells if they do not scroll.
    func drawFixed(_ section: PreviewScene.Section, on sketch: inout Sketch, where isShown: (Rectangle) -> Bool = { _ in true }) {
        if let color = section.listStyle?.background { sketch.rectangle(section.frame, fill: color) }
        for background in section.backgrounds {
            sketch.fill(background.frame, radius: background.cornerRadius ?? 14, background.fill, default: "#f2f2f7")
        }
        if section.scroller == nil { drawCells(of: section, on: &sketch, where: isShown) }
        for header in section.headers where header.kind == "header" { draw(header, of: section, on: &sketch) }
        for header in section.headers { if let pages = header.pages { draw(pages, in: header.frame, on: &sketch) } }
    }

    func drawCells(of section: PreviewScene.Section, on sketch: inout Sketch, where isShown: (Rectangle) -> Bool) {
        guard let content = content.sections[section.id] else { return }
        let words = CellWords(locale: self.content.page.locale)
        for (index, cell) in section.cells.enumerated() where isShown(cell.frame) && content.page.items.indices.contains(index) {
            let placement = content.page.items[index]
            guard let cellContent = self.content.cell(of: placement, words), cell.frame.width > 0, cell.frame.height > 0 else { continue }
            let drawing = CellDrawing(
                frame: cell.frame, content: cellContent, number: index + 1, isRightToLeft: scene.isRightToLeft,
                margin: cell.frame.width > scene.content.width - 1 ? device.margin : 0,
                hasNextBelow: section.cells.indices.contains(index + 1) && isBelow(section.cells[index + 1].frame, cell.frame),
                accent: scene.theme.accent, listStyle: section.listStyle)
            if let color = section.listStyle?.rowBackground { sketch.rectangle(cell.frame, fill: color) }
            let style = CellStyle(name: cell.style, cell.frame)
            sketch.group(opacity: cell.opacity, of: cell.frame, shift: cell.shift) { drawing.draw(style, on: &$0) }
        }
        for badge in section.badges where isShown(badge.frame) { draw(badge, words, on: &sketch) }
    }

    private func isBelow(_ next: Rectangle, _ frame: Rectangle) -> Bool { abs(next.x - frame.x) < 1 && next.y >= frame.maxY - 1 }

    /// Draws a badge that the layout places, such as a dot on the corner of a cell.
    private func draw(_ badge: PreviewScene.Label, _ words: CellWords, on sketch: inout Sketch) {
        sketch.rectangle(badge.frame, radius: min(badge.frame.width, badge.frame.height) / 2, fill: "#e5484d")
        let font = Font(max(8, min(11, badge.frame.height * 0.5)), .bold)
        let text = words.supplementary(badge.text)
        guard font.width(of: text) + 6 <= badge.frame.width else { return }
        sketch.text(
            text, in: badge.frame, baseline: badge.frame.y + badge.frame.height / 2 + font.size * 0.36, font, "#ffffff",
            .center)
    }

    /// Draws a dot for each page, or the numbers if there are many.
    private func draw(_ pages: PreviewScene.Pages, in frame: Rectangle, on sketch: inout Sketch) {
        let font = Font(max(8, min(12, frame.height * 0.5)), .semibold)
        sketch.text(
            pages.text, in: frame, baseline: frame.y + frame.height / 2 + font.size * 0.36, font, CellDrawing.Color.secondary, .center)
    }

    private func draw(_ header: PreviewScene.Label, of section: PreviewScene.Section, on sketch: inout Sketch) {
        guard let content = content.sections[section.id], let title = section.pageTitle else { return }
        let inset = max(0, device.margin - header.frame.x)
        var room = Rectangle(
            x: header.frame.x + inset, y: header.frame.y, width: max(0, header.frame.width - 2 * inset), height: header.frame.height)
        let font = Font(min(21, header.frame.height * 0.55), .bold)
        let middle = header.frame.y + header.frame.height / 2
        let subtitle = content.page.subtitle.flatMap { header.frame.height >= 40 ? $0 : nil }
        let baseline = subtitle == nil ? middle + font.size * 0.36 : middle - 2
        if content.hasList {
            let (words, link) = (CellWords(locale: self.content.page.locale).seeAll, Font(15))
            sketch.text(words, in: room, baseline: baseline, link, scene.theme.accent, .trailing)
            let width = link.width(of: words) + 12
            room.width -= width
            if scene.isRightToLeft { room.x += width }
        }
        sketch.text(title, in: room, baseline: baseline, font, CellDrawing.Color.label)
        if let subtitle { sketch.text(subtitle, in: room, baseline: middle + 15, Font(13), CellDrawing.Color.secondary) }
    }

    // MARK: The screen

    /// Draws the time and the battery, and the title of the page below them.
    func drawTop(on sketch: inout Sketch) {
        let (width, color) = (device.screen.width, CellDrawing.Color.label)
        if device.statusHeight > 0 {
            let edge = device.isTablet ? 22.0 : 32
            let baseline = device.statusHeight / 2 + 7
            let line = Rectangle(x: edge, y: 0, width: width - 2 * edge, height: 0)
            sketch.text("9:41", in: line, baseline: baseline, Font(device.isTablet ? 13 : 16, .semibold), color)
            let battery = Rectangle(x: scene.isRightToLeft ? edge : width - edge - 25, y: baseline - 11.5, width: 25, height: 12)
            sketch.append("<rect \(Sketch.place(battery)) rx=\"3.8\" fill=\"none\" stroke=\"\(color)\" stroke-opacity=\"0.4\"/>")
            sketch.rectangle(Rectangle(x: battery.x + 2, y: battery.y + 2, width: 18, height: 8), radius: 2.2, fill: color)
        }
        guard !content.page.title.isEmpty else { return }
        sketch.text(
            content.page.title, in: Rectangle(x: device.margin, y: 0, width: width - 2 * device.margin, height: 0),
            baseline: device.contentTop - 14, Font(32, .bold),
            color)
    }
}

/// The outline of a phone or tablet around a screen.
struct Device {
    let screen: PointSize
    let isTablet: Bool
    let statusHeight: Double
    /// The distance of titles and rows from the sides of the screen.
    let margin: Double
    /// The distance from the top of the screen to the top of the page's content.
    let contentTop: Double
    let bottomInset: Double

    init(screen: PointSize, safeArea: EdgeLengths, hasTitle: Bool) {
        self.screen = screen
        isTablet = min(screen.width, screen.height) >= 700
        statusHeight = safeArea.top.value
        margin = 20 + max(safeArea.leading.value, safeArea.trailing.value)
        bottomInset = safeArea.bottom.value
        contentTop = statusHeight + (hasTitle ? 54 : 8)
    }

    var bezel: Double { isTablet ? 20 : 12 }
    var screenRadius: Double { isTablet ? 20 : min(44, screen.width * 0.11) }
    var radius: Double { screenRadius + bezel }

    /// The height of a screen that shows all of a page.
    func fullHeight(of content: PointSize) -> Double { max(screen.height, contentTop + content.height + max(20, bottomInset)) }
}
