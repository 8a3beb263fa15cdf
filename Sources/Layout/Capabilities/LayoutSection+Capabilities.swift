extension LayoutSection {
    /// What a client must be able to do beyond the core.
    package var capabilities: Set<Capability> {
        var found: Set<Capability> = []
        switch content {
        case .group(let group): group.collect(into: &found)
        case .list(let list):
            if list != list.plain { found.insert(.styledLists) }
            list.rowHeight.collect(into: &found)
        }
        for header in boundarySupplementaryItems { header.size.collect(into: &found) }
        if orthogonalScrollingProperties != .automatic { found.insert(.scrollingProperties) }
        if !effects.isEmpty { found.insert(.centerScale) }
        return found
    }
}

extension ListLayout {
    /// The same rows without anything that has to be styled.
    var plain: ListLayout { ListLayout(showsSeparators: showsSeparators, rowHeight: rowHeight) }
}

extension LayoutItem {
    fileprivate func collect(into found: inout Set<Capability>) {
        size.collect(into: &found)
        if !supplementaryItems.isEmpty { found.insert(.supplementaryItems) }
        for item in supplementaryItems { item.size.collect(into: &found) }
        switch content {
        case .cell: break
        case .group(let group): for subitem in group.subitems { subitem.collect(into: &found) }
        case .custom: found.insert(.customGroups)
        }
    }
}

extension LayoutSize {
    fileprivate func collect(into found: inout Set<Capability>) {
        width.collect(into: &found)
        height.collect(into: &found)
    }
}

extension Dimension {
    fileprivate func collect(into found: inout Set<Capability>) {
        if case .uniformAcrossSiblings = self { found.insert(.uniformDimensions) }
    }
}
