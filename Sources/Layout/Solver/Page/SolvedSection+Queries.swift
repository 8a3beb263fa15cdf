extension SolvedSection {
    /// The items whose frames share more than an edge with a rectangle, in order; the rectangle is in the frames' own coordinates.
    ///
    /// Groups that cannot reach it are skipped in logarithmic time.
    package func items(in rectangle: Rectangle) -> [Int] {
        var items: [Int] = []
        for group in groups(reaching: rectangle) {
            for item in itemRange(ofGroup: group) where frames[item].intersects(rectangle) { items.append(item) }
        }
        return items
    }

    /// The topmost item at a point in the frames' own coordinates: the one with the highest z-index, and of these the last.
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

    /// The items of a group; the last one may be only partly filled.
    package func itemRange(ofGroup group: Int) -> Range<Int> {
        let isLast = group == groupFrames.count - 1
        if firstItems.isEmpty {
            let first = group * slotsPerGroup
            return first..<(isLast ? frames.count : first + slotsPerGroup)
        }
        return firstItems[group]..<(isLast ? frames.count : firstItems[group + 1])
    }

    /// The groups whose cells may touch a rectangle.
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
    /// The first index whose element belongs to the second part, where all of the first part come before it.
    fileprivate func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
