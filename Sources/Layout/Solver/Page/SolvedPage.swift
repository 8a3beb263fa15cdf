package struct SolvedPage: Sendable {
    package let axis: Axis
    /// The scale to which frames are snapped when they are drawn.
    package let scale: Scale
    package let contentSize: PointSize
    package var sections: [SolvedSection]
    /// The boundary items of the page's configuration. Those of sections are in `sections`.
    package var boundaryItems: [SolvedBoundaryItem]
    package private(set) var isMirrored = false

    /// Solves a page in time linear in the items. The same input always results in the same frames.
    package init(
        solving contents: [SectionContent], configuration: PageConfiguration = PageConfiguration(), in environment: LayoutEnvironment
    ) throws(LayoutError) {
        guard contents.count <= SolverLimits.sections else { throw LayoutError(.tooManyItems) }
        var budget = SolverBudget()
        let outer = PageFrame(configuration, in: environment)
        let basis = outer.container()
        let (items, along) = (configuration.boundarySupplementaryItems, outer.axis)
        let sizes = items.extents(in: basis.size)
        let bands = Bands(items, sizes, scrolling: along)
        let page = outer.inset(by: bands)
        var position = bands.start
        var sections: [SolvedSection] = []
        sections.reserveCapacity(contents.count)
        for (index, content) in contents.enumerated() {
            if index > 0 { position += configuration.interSectionSpacing.value }
            do throws(LayoutError) {
                sections.append(try SectionSolver(content, in: page, from: position).solve(within: &budget))
            } catch {
                throw LayoutError(error.code, section: index, path: error.path)
            }
            position = sections[index].end
        }
        let end = position + bands.end
        axis = along
        scale = environment.scale
        self.sections = sections
        contentSize = PointSize(along: along, end, across: along == .vertical ? environment.width.value : environment.height.value)
        boundaryItems = zip(items, sizes).map { SolvedBoundaryItem($0, $1, in: basis, along: 0...max(0, end), scrolling: along) }
        if environment.layoutDirection == .rightToLeft { mirror(within: max(contentSize.width, environment.width.value)) }
    }

    /// Mirrors the page from left-to-right to right-to-left, or back.
    package mutating func mirror(within width: Double) {
        for index in sections.indices { sections[index].mirror(within: width, scrolling: axis) }
        for index in boundaryItems.indices { boundaryItems[index].mirror(within: width, scrolling: axis) }
        isMirrored.toggle()
    }
}

extension SolvedPage {
    /// Returns the frames of a section's boundary items while a part of the page is visible. The range is along the
    /// scrolling direction. Pinned items follow it within the section. Above the page, where the range is negative,
    /// stretchy headers of the first section reach.
    package func boundaryFrames(ofSection index: Int, visible: ClosedRange<Double>) -> [Rectangle] {
        let section = sections[index].frame
        let extent = section.start(axis)...section.end(axis)
        return sections[index].boundaryItems.map {
            $0.frame(visible: visible, section: extent, scrolling: axis, isFirst: index == 0)
        }
    }

    /// Returns the frames of the page's own boundary items while a part of the page is visible.
    package func boundaryFrames(visible: ClosedRange<Double>) -> [Rectangle] {
        boundaryItems.map {
            $0.frame(visible: visible, section: 0...max(0, contentSize[axis]), scrolling: axis, isFirst: false)
        }
    }
}

extension SolvedPage {
    /// Returns the items in a rectangle of the page, for each section with any there.
    ///
    /// `offsets` holds the scroll offset of each section's scroller. A missing offset is 0.
    package func items(in rectangle: Rectangle, offsets: [Double] = []) -> [(section: Int, items: [Int])] {
        var visible: [(section: Int, items: [Int])] = []
        for index in sections.indices {
            guard let part = sections[index].inner(rectangle, at: index < offsets.count ? offsets[index] : 0) else { continue }
            let items = sections[index].items(in: part)
            if !items.isEmpty { visible.append((index, items)) }
        }
        return visible
    }

    /// Returns the topmost item at a point of the page. If sections overlap, the last one wins.
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
    /// Converts a rectangle of the page to the coordinates of the frames. Returns nil if it misses the section's
    /// scroller.
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
