/// The scroller of a section that scrolls across the page: its viewport and its resting offsets.
package struct SolvedScroller: Sendable, Equatable {
    package struct AdditionalInsets: Sendable, Equatable {
        package var leading = 0.0
        package var trailing = 0.0
    }

    package let behavior: ScrollingBehavior
    package let axis: Axis
    /// The viewport in page coordinates. Its content has scroller coordinates along the axis and page coordinates
    /// across it.
    package var viewport: Rectangle
    package let contentExtent: Double
    /// The distance of one paging gesture, or nil if the section scrolls freely.
    package let pageExtent: Double?
    /// The additional room beyond the content that lets the first and the last group be centered.
    package let additionalInsets: AdditionalInsets
    /// The resting offsets, in the order of the groups or pages.
    package var restingOffsets: ContiguousArray<Double>
    /// Whether the content runs from right to left, so that it begins at the maximum offset.
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
