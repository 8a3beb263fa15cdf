extension SolvedSection {
    /// Mirrors what lies in the page in its width, and what lies in a scroller in that of its content.
    mutating func mirror(within width: Double, scrolling axis: Axis) {
        let inner = scroller.map { $0.axis == .horizontal ? max($0.contentExtent, $0.viewportExtent) : width } ?? width
        frame = frame.mirrored(within: width)
        for index in frames.indices { frames[index] = frames[index].mirrored(within: inner) }
        for index in groupFrames.indices { groupFrames[index] = groupFrames[index].mirrored(within: inner) }
        for index in supplementaryItems.indices {
            supplementaryItems[index].frame = supplementaryItems[index].frame.mirrored(within: inner)
        }
        for index in boundaryItems.indices { boundaryItems[index].mirror(within: width, scrolling: axis) }
        for index in decorationItems.indices { decorationItems[index].frame = decorationItems[index].frame.mirrored(within: width) }
        scroller?.mirror(within: width)
        isMirrored.toggle()
    }
}

extension SolvedBoundaryItem {
    mutating func mirror(within width: Double, scrolling axis: Axis) {
        frame = frame.mirrored(within: width)
        guard axis == .horizontal else { return }
        switch pin {
        case .none: break
        case .start: pin = .end
        case .end: pin = .start
        }
    }
}

extension SolvedScroller {
    fileprivate mutating func mirror(within width: Double) {
        viewport = viewport.mirrored(within: width)
        guard axis == .horizontal else { return }
        for index in restingOffsets.indices { restingOffsets[index] = maximumOffset - restingOffsets[index] }
        isMirrored.toggle()
    }
}
