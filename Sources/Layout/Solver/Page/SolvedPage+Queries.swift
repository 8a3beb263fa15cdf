extension SolvedPage {
    /// The items in a rectangle of the page, for each section that has any there.
    ///
    /// The offsets say how far each section's scroller has been scrolled; it is 0 for those beyond the array.
    package func items(in rectangle: Rectangle, offsets: [Double] = []) -> [(section: Int, items: [Int])] {
        var visible: [(section: Int, items: [Int])] = []
        for index in sections.indices {
            guard let part = sections[index].inner(rectangle, at: index < offsets.count ? offsets[index] : 0) else { continue }
            let items = sections[index].items(in: part)
            if !items.isEmpty { visible.append((index, items)) }
        }
        return visible
    }

    /// The topmost item at a point of the page; of sections that overlap, that of the last.
    package func item(atX x: Double, y: Double, offsets: [Double] = []) -> (section: Int, item: Int)? {
        for index in sections.indices.reversed() {
            let offset = index < offsets.count ? offsets[index] : 0
            guard let point = sections[index].inner(Rectangle(x: x, y: y, width: 0, height: 0), at: offset) else { continue }
            if let item = sections[index].item(atX: point.x, y: point.y) { return (index, item) }
        }
        return nil
    }
}

extension SolvedSection {
    /// What a rectangle of the page is in the coordinates of the frames; nil where it misses the section's scroller.
    fileprivate func inner(_ rectangle: Rectangle, at offset: Double) -> Rectangle? {
        guard let scroller else { return rectangle }
        let (axis, viewport) = (scroller.axis, scroller.viewport)
        let low = max(rectangle.start(axis), viewport.start(axis))
        let high = min(rectangle.end(axis), viewport.end(axis))
        guard low <= high else { return nil }
        let origin = low - viewport.start(axis) + offset
        return axis == .horizontal
            ? Rectangle(x: origin, y: rectangle.y, width: high - low, height: rectangle.height)
            : Rectangle(x: rectangle.x, y: origin, width: rectangle.width, height: high - low)
    }
}
