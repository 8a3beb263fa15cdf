extension SolvedPage {
    /// Where the boundary items of a section are while that much of the page is visible, from the first to the last point along the
    /// scrolling; those that are pinned follow it within the section.
    package func boundaryFrames(ofSection index: Int, visible: ClosedRange<Double>) -> [Rectangle] {
        let section = sections[index].frame
        let extent = section.start(axis)...section.end(axis)
        return sections[index].boundaryItems.map { $0.frame(visible: visible, section: extent, scrolling: axis) }
    }

    /// Where the page's own boundary items are while that much of the page is visible.
    package func boundaryFrames(visible: ClosedRange<Double>) -> [Rectangle] {
        boundaryItems.map { $0.frame(visible: visible, section: 0...max(0, contentSize[axis]), scrolling: axis) }
    }
}
