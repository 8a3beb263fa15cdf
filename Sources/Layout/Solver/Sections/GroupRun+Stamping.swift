extension GroupRun {
    /// Copies one solved group until the items are used up; the last one keeps its full extent.
    mutating func stamp(_ group: SolvedGroup, items count: Int) {
        let (slots, first, size) = (group.cells.count, frames.count, group.size)
        let cells = group.cells.span
        // Arrays of its own: appending through `self` costs half as much again.
        var (frames, groupFrames) = (self.frames, self.groupFrames)
        (self.frames, self.groupFrames) = ([], [])
        var left = count
        while left > 0 {
            let corner = advance(size)
            groupFrames.append(Rectangle(x: corner.x, y: corner.y, size))
            for slot in 0..<min(slots, left) { frames.append(cells[slot].moved(x: corner.x, y: corner.y)) }
            left -= slots
        }
        (self.frames, self.groupFrames) = (frames, groupFrames)
        // Once a group has any, each item of the groups behind it has one too.
        if !group.zIndexes.isEmpty || !zIndexes.isEmpty {
            while zIndexes.count < first { zIndexes.append(0) }
            for item in 0..<count { zIndexes.append(group.zIndexes.isEmpty ? 0 : group.zIndexes[item % slots]) }
        }
    }

    /// Hangs what the last groups carry, of which the first shows `firstItem`.
    mutating func hang(_ group: SolvedGroup, groups: Range<Int>, firstItem: Int, of content: SectionContent) throws(LayoutError) {
        guard !group.hooks.isEmpty else { return }
        for index in groups {
            let first = firstItem + (index - groups.lowerBound) * group.cells.count
            for hook in group.hooks where first + hook.slot < content.itemCount {
                let item = first + hook.slot
                let frame = hook.frame.moved(x: groupFrames[index].x, y: groupFrames[index].y)
                for supplementary in hook.supplementaries where supplementary.occurrence.includes(item: item, isNew: content.isNew(item)) {
                    supplementaries.append(SolvedSupplementary(supplementary, of: item, on: frame))
                }
                // Those that are left out cost time as well.
                try budget.takeParts(hook.supplementaries.count)
            }
        }
    }
}

extension SectionContent {
    fileprivate func isNew(_ item: Int) -> Bool { item < newItems.count && newItems[item] }
}
