/// The frames of one section in page coordinates. If the section scrolls across the page, its items, groups and
/// supplementaries have scroller coordinates along the scroller's axis.
package struct SolvedSection: Sendable {
    /// The frame of the whole section, including bands and insets.
    package var frame: Rectangle
    /// The start along the page's scrolling direction. On a mirrored horizontal page, it counts from the right edge.
    package let start: Double
    package let end: Double
    /// The number of slots of the first group; 0 if the section has no groups.
    package let slotsPerGroup: Int
    /// The frames by item.
    package var frames: ContiguousArray<Rectangle>
    package var groupFrames: ContiguousArray<Rectangle>
    /// The first item of each group. Empty if every group has `slotsPerGroup` items.
    package let firstItems: ContiguousArray<Int>
    /// The z-indexes by item. Empty if all are 0.
    package let zIndexes: ContiguousArray<Int>
    package var supplementaryItems: [SolvedSupplementary]
    package var boundaryItems: [SolvedBoundaryItem]
    package var decorationItems: [SolvedDecoration]
    /// The scroller, or nil if the section scrolls with the page.
    package var scroller: SolvedScroller?
    package let effects: [Effect]
    package let warnings: SolverWarnings
    package let isList: Bool
    /// Whether a size depends on measurements of the client. Always true for a list.
    package let isEstimated: Bool
    /// The axis of the groups. `overhang` is the distance that cells extend beyond them on it.
    let axis: Axis
    /// The room of the groups across the page's scrolling direction.
    let roomAcross: Double
    var overhang: (start: Double, end: Double)
    var isMirrored = false

    package var extent: Double { end - start }
}

extension SolvedSection {
    /// Mirrors frames: those in the page within its width, those in a scroller within the width of its content.
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

extension SolvedSection {
    /// Returns the items whose frames share more than an edge with a rectangle, in order. The rectangle has the
    /// coordinates of the frames.
    ///
    /// Groups out of reach are skipped in logarithmic time.
    package func items(in rectangle: Rectangle) -> [Int] {
        var items: [Int] = []
        for group in groups(reaching: rectangle) {
            for item in itemRange(ofGroup: group) where frames[item].intersects(rectangle) { items.append(item) }
        }
        return items
    }

    /// Returns the topmost item at a point in the coordinates of the frames. The highest z-index wins, then the last
    /// item.
    package func item(atX x: Double, y: Double) -> Int? {
        var found: Int?
        let point = Rectangle(x: x, y: y, width: 0, height: 0)
        for group in groups(reaching: point) {
            for item in itemRange(ofGroup: group) where frames[item].contains(x: x, y: y) {
                if found.map({ zIndex(of: $0) <= zIndex(of: item) }) ?? true { found = item }
            }
        }
        return found
    }

    private func zIndex(of item: Int) -> Int { zIndexes.isEmpty ? 0 : zIndexes[item] }

    /// Returns the items of a group. The last group may be only partly filled.
    package func itemRange(ofGroup group: Int) -> Range<Int> {
        let isLast = group == groupFrames.count - 1
        if firstItems.isEmpty {
            let first = group * slotsPerGroup
            return first..<(isLast ? frames.count : first + slotsPerGroup)
        }
        return firstItems[group]..<(isLast ? frames.count : firstItems[group + 1])
    }

    /// Returns the groups whose cells may touch a rectangle.
    private func groups(reaching rectangle: Rectangle) -> Range<Int> {
        let (low, high) = (rectangle.start(axis), rectangle.end(axis))
        let isBackwards = isMirrored && axis == .horizontal
        let reach = isBackwards ? (start: overhang.end, end: overhang.start) : overhang
        let isBefore = { (group: Rectangle) in
            isBackwards ? group.start(axis) - reach.start > high : group.end(axis) + reach.end < low
        }
        let isAfter = { (group: Rectangle) in
            isBackwards ? group.end(axis) + reach.end < low : group.start(axis) - reach.start > high
        }
        let first = groupFrames.partitioningIndex { !isBefore($0) }
        return first..<max(first, groupFrames.partitioningIndex(where: isAfter))
    }
}

extension ContiguousArray {
    /// Returns the first index of the second part. All elements of the first part must precede it.
    fileprivate func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
