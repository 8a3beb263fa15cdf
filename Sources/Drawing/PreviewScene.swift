internal import Feeds
package import Layout

/// A solved page as shapes to draw, in points from the top left of the page.
package struct PreviewScene {
    struct Label {
        let frame: Rectangle
        let text: String
        /// The kind of the element in the layout, such as `header`.
        var kind = ""
        /// Whether the element becomes higher while the page is pulled down.
        var isStretchy = false
        /// The state of a page indicator.
        var pages: Pages?
        /// The color and the corners of a background. nil uses those of the drawing.
        var fill: DrawnFill?
        var cornerRadius: Double?
    }

    /// The page at which a scroller is, and the number of its pages.
    struct Pages {
        let current: Int
        let count: Int

        /// A dot for each page, or numbers if there are many.
        var text: String {
            if count > 12 { return "\(current + 1) / \(count)" }
            return (0..<count).map { $0 == current ? "●" : "○" }.joined(separator: " ")
        }
    }

    struct Cell {
        let number: Int
        /// The title of the item at this position, or nil if it is unknown.
        let title: String?
        let frame: Rectangle
        /// Whether the cell is one of the larger ones of its section.
        let isLarge: Bool
        /// The name of the cell style, or nil if the page names none.
        var style: String?
        /// The opacity, and the displacement of the content, at the scroller's offset.
        var opacity = 1.0
        var shift: (x: Double, y: Double) = (0, 0)

        var text: String { title ?? "\(number)" }

        /// The text with its effects in words, for a drawing without opacity.
        var textWithEffects: String {
            var text = text
            if opacity < 0.995 { text += " \(Int((opacity * 100).rounded()))%" }
            if abs(shift.x) >= 0.5 { text += shift.x < 0 ? " ←\(Int(-shift.x.rounded()))" : " →\(Int(shift.x.rounded()))" }
            if abs(shift.y) >= 0.5 { text += shift.y < 0 ? " ↑\(Int(-shift.y.rounded()))" : " ↓\(Int(shift.y.rounded()))" }
            return text
        }

        /// The frame of the content. nil if it is completely outside the cell.
        var contentFrame: Rectangle? {
            guard abs(shift.x) < frame.width / 2, abs(shift.y) < frame.height / 2 else { return nil }
            return Rectangle(x: frame.x + shift.x, y: frame.y + shift.y, width: frame.width, height: frame.height)
        }
    }

    /// The colors and the separators of a list. nil uses those of the drawing.
    struct ListStyle {
        let background: String?
        let rowBackground: String?
        let separatorColor: String?
        /// Whether lines separate the rows, or nil if the layout leaves it to the client.
        let hasSeparators: Bool?
        let separatorInsets: Insets

        /// Whether a drawing of boxes, which have borders, shows the separators as well.
        var drawsSeparators: Bool { hasSeparators ?? (separatorColor != nil) }
    }

    struct Scroller {
        let viewport: Rectangle
        let contentExtent: Double
        /// The distance that the content is scrolled.
        let offset: Double
        let restingOffsets: [Double]
        let isHorizontal: Bool

        /// The translation from the scroller's content to the page.
        var shift: (x: Double, y: Double) {
            isHorizontal ? (viewport.x - offset, 0) : (0, viewport.y - offset)
        }

        /// The space before the content, which the first resting position needs.
        var lead: Double { max(0, -(restingOffsets.min() ?? 0)) }

        /// The extent of the content with the space that the first and the last resting position need.
        var scrolledExtent: Double {
            let length = isHorizontal ? viewport.width : viewport.height
            return lead + max(contentExtent, (restingOffsets.max() ?? 0) + length)
        }
    }

    struct Section {
        /// The ID of the section on its page. Empty without a page.
        let id: String
        /// The title of the section on its page.
        let pageTitle: String?
        let title: String
        let frame: Rectangle
        let backgrounds: [Label]
        let headers: [Label]
        /// The cells, relative to the scroller's content if the section has a scroller. The same applies to badges and
        /// groups.
        let cells: [Cell]
        let badges: [Label]
        let groups: [Rectangle]
        let scroller: Scroller?
        let listStyle: ListStyle?
    }

    let title: String
    let screenTitle: String
    let screen: PointSize
    let content: PointSize
    let isVertical: Bool
    let isRightToLeft: Bool
    let safeArea: EdgeLengths
    let theme: DrawingTheme
    let headers: [Label]
    let sections: [Section]

    package init(_ request: PreviewRequest) throws(LayoutError) {
        let page = try request.solve()
        title = request.title
        screenTitle = request.screenTitle
        screen = PointSize(width: request.environment.width.value, height: request.environment.height.value)
        content = page.contentSize
        isVertical = page.axis == .vertical
        isRightToLeft = request.isRightToLeft
        safeArea = request.environment.safeArea
        theme = request.theme
        headers = page.boundaryItems.map { Label(frame: $0.frame, text: $0.elementKind.text) }
        sections = zip(page.sections, request.contents).enumerated().map { index, section in
            Section(section.0, section.1, number: index, in: request)
        }
    }
}

extension PreviewScene.Section {
    fileprivate init(_ solved: SolvedSection, _ content: SectionContent, number: Int, in request: PreviewRequest) {
        let page = request.sections.indices.contains(number) ? request.sections[number] : nil
        let name = page.flatMap { $0.title ?? $0.id.split(separator: "/").last.map(String.init) }
        let titles = page?.items.map(\.title) ?? []
        id = page?.id ?? ""
        pageTitle = page?.title
        let styles = page?.cells(in: request.environment)
        var slots: [Name?] = []
        if case .group(let item) = content.layout.content { slots = item.slots(count: solved.slotsPerGroup) }
        scroller = solved.scroller.map(PreviewScene.Scroller.init)
        let offset = scroller?.offset ?? 0
        let frames = solved.frames.indices.map { solved.frame(ofItem: $0, at: offset) }
        let areas = solved.frames.map { $0.width * $0.height }
        let least = areas.min() ?? 0
        cells = frames.enumerated().map { index, frame in
            let effects = solved.effects(onItem: index, at: offset)
            let shift = effects.contentOffset
            return PreviewScene.Cell(
                number: index + 1, title: titles.indices.contains(index) ? titles[index] : nil, frame: frame,
                isLarge: areas[index] > 1.6 * least, style: styles?[slots.isEmpty ? nil : slots[index % slots.count]],
                opacity: effects.opacity, shift: solved.scroller?.axis == .vertical ? (0, shift) : (shift, 0))
        }
        if case .list(let list) = content.layout.content { listStyle = .init(list, request.theme) } else { listStyle = nil }
        frame = solved.frame
        groups = Array(solved.groupFrames)
        backgrounds = solved.decorationItems.map { item in
            let fill = item.fill.flatMap { DrawnFill($0, request.theme, isRightToLeft: request.isRightToLeft) }
            let radius = item.fill == nil && item.cornerRadius == 0 ? nil : item.cornerRadius
            return .init(frame: item.frame, text: item.elementKind.text, fill: fill, cornerRadius: radius)
        }
        // The title appears in the header, if there is one.
        headers = solved.boundaryItems.map { item in
            let pages = item.elementKind == .pageIndicator ? solved.pages(at: offset) : nil
            return .init(
                frame: item.frame,
                text: pages?.text ?? (item.elementKind.text == "header" ? name ?? "header" : item.elementKind.text),
                kind: item.elementKind.text, isStretchy: item.isStretchy && number == 0, pages: pages)
        }
        badges = solved.supplementaryItems.map { .init(frame: $0.frame, text: $0.elementKind.text) }
        var parts = [name ?? "\(number + 1)", Family(of: content.layout).kind.rawValue]
        if let behavior = solved.scroller?.behavior { parts.append(behavior.rawValue) }
        parts.append(content.itemCount == 1 ? "1 item" : "\(content.itemCount) items")
        title = parts.joined(separator: " · ")
    }
}

extension SolvedSection {
    fileprivate func pages(at offset: Double) -> PreviewScene.Pages? {
        guard let scroller, let page = scroller.page(at: offset) else { return nil }
        return .init(current: page, count: scroller.restingOffsets.count)
    }
}

extension PreviewScene.ListStyle {
    fileprivate init(_ list: ListLayout, _ theme: DrawingTheme) {
        background = list.background.flatMap { theme.value(of: $0) }
        rowBackground = list.rowBackground.flatMap { theme.value(of: $0) }
        separatorColor = list.separators.color.flatMap { theme.value(of: $0) }
        hasSeparators =
            switch list.separators.visibility {
            case .automatic: list.showsSeparators ? nil : false
            case .visible: true
            case .hidden: false
            }
        separatorInsets = list.separators.insets
    }

    /// Returns the line below a row.
    func separator(below row: Rectangle, isRightToLeft: Bool) -> Rectangle {
        let (leading, trailing) = (separatorInsets.leading.points, separatorInsets.trailing.points)
        return Rectangle(
            x: row.x + (isRightToLeft ? trailing : leading), y: row.maxY - 0.75, width: max(0, row.width - leading - trailing),
            height: 0.75)
    }
}

extension PreviewScene.Scroller {
    fileprivate init(_ scroller: SolvedScroller) {
        viewport = scroller.viewport
        contentExtent = scroller.contentExtent
        restingOffsets = Array(scroller.restingOffsets)
        isHorizontal = scroller.axis == .horizontal
        let start = scroller.initialOffset
        offset = restingOffsets.min { abs($0 - start) < abs($1 - start) } ?? start
    }
}
