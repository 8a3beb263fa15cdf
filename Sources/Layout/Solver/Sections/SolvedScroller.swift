/// A section that scrolls across the page: its window, and where it comes to rest.
package struct SolvedScroller: Sendable, Equatable {
    package struct AdditionalInsets: Sendable, Equatable {
        package var leading = 0.0
        package var trailing = 0.0
    }

    package let behavior: ScrollingBehavior
    package let axis: Axis
    /// In the page; what scrolls is in the scroller's content along its axis, and in the page across it.
    package var viewport: Rectangle
    package let contentExtent: Double
    /// How far one gesture goes, nil where it goes freely.
    package let pageExtent: Double?
    /// Room beyond the content, so that the first and the last group can be centred.
    package let additionalInsets: AdditionalInsets
    /// In the order of the groups or pages.
    package var restingOffsets: ContiguousArray<Double>
    /// Whether its content runs from right to left, so that it begins at the maximum offset.
    var isMirrored = false

    package var viewportExtent: Double { viewport.size[axis] }

    package var maximumOffset: Double { max(0, contentExtent - viewportExtent) }

    package var initialOffset: Double { isMirrored ? maximumOffset : 0 }

    init(
        _ behavior: ScrollingBehavior, axis: Axis, viewport: Rectangle, contentExtent: Double, groups: ContiguousArray<Rectangle>,
        leadingInset: Double, halfPixel: Double
    ) throws(LayoutError) {
        self.behavior = behavior
        self.axis = axis
        self.viewport = viewport
        self.contentExtent = contentExtent
        let stops = try RestingOffsets(
            behavior, axis: axis, viewport: viewport.size[axis], content: contentExtent, groups: groups, leadingInset: leadingInset,
            halfPixel: halfPixel)
        restingOffsets = stops.offsets
        pageExtent = stops.pageExtent
        additionalInsets = stops.additionalInsets
    }
}
