struct RestingOffsets {
    private(set) var offsets: ContiguousArray<Double> = []
    private(set) var pageExtent: Double?
    private(set) var additionalInsets = SolvedScroller.AdditionalInsets()
    private let tolerance: Double

    init(
        _ behavior: ScrollingBehavior, axis: Axis, viewport: Double, content: Double, groups: ContiguousArray<Rectangle>,
        leadingInset: Double, halfPixel: Double
    ) throws(LayoutError) {
        tolerance = halfPixel
        let maximum = max(0, content - viewport)
        switch behavior {
        case .none, .continuous: break
        case .paging:
            pageExtent = viewport
            try addPages(of: viewport, content: content, maximum: maximum)
        case .continuousGroupLeadingBoundary, .groupPaging:
            for group in groups { add(min(max(0, group.start(axis) - leadingInset), maximum)) }
        case .groupPagingCentered:
            for group in groups { add(group.start(axis) + group.size[axis] / 2 - viewport / 2) }
            additionalInsets.leading = max(0, -(offsets.first ?? 0))
            additionalInsets.trailing = max(0, (offsets.last ?? 0) - maximum)
        }
        if behavior == .groupPaging || behavior == .groupPagingCentered { pageExtent = Self.pitch(groups, axis) }
    }

    private static func pitch(_ groups: ContiguousArray<Rectangle>, _ axis: Axis) -> Double {
        switch groups.count {
        case 0: 0
        case 1: groups[0].size[axis]
        default: groups[1].start(axis) - groups[0].start(axis)
        }
    }

    private mutating func addPages(of viewport: Double, content: Double, maximum: Double) throws(LayoutError) {
        let pages = max(1, ((content - tolerance) / viewport).wholeAbove)
        guard pages <= Double(SolverLimits.parts) else { throw LayoutError(.tooManyItems) }
        for page in 0..<Int(pages) { add(min(Double(page) * viewport, maximum)) }
    }

    /// Adds an offset, unless it is within half a pixel of the previous one.
    private mutating func add(_ offset: Double) {
        if let last = offsets.last, abs(offset - last) <= tolerance { return }
        offsets.append(offset)
    }
}
