extension LayoutSection {
    /// Returns the most similar section that does not need a capability. An unused or unknown capability changes
    /// nothing.
    func reduced(by capability: Capability) -> LayoutSection {
        var section = self
        switch capability {
        case .scrollingProperties: section.orthogonalScrollingProperties = .automatic
        case .centerScale: section.effects = []
        case .styledLists:
            if case .list(let list) = content { section.content = .list(list.plain) }
        case .supplementaryItems: section.changeItems { $0.supplementaryItems = [] }
        case .uniformDimensions: section.becomeEstimated()
        case .customGroups: section.changeItems { $0.becomeRow() }
        default: break
        }
        return section
    }

    private mutating func becomeEstimated() {
        changeItems { item in
            item.size = item.size.estimated
            for index in item.supplementaryItems.indices {
                item.supplementaryItems[index].size = item.supplementaryItems[index].size.estimated
            }
        }
        if case .list(var list) = content {
            list.rowHeight = list.rowHeight.estimated
            content = .list(list)
        }
        for index in boundarySupplementaryItems.indices {
            boundarySupplementaryItems[index].size = boundarySupplementaryItems[index].size.estimated
        }
    }

    private mutating func changeItems(_ change: (inout LayoutItem) -> Void) {
        guard case .group(let group) = content else { return }
        content = .group(group.changed(change))
    }
}

extension LayoutItem {
    /// Changes every child before its group. The recursion is as deep as the nesting of groups.
    fileprivate func changed(_ change: (inout LayoutItem) -> Void) -> LayoutItem {
        var item = self
        if case .group(let group) = content { item.content = .group(group.replacingSubitems { $0.changed(change) }) }
        change(&item)
        return item
    }

    /// Becomes a row with as many cells as the custom group has frames, so that every item keeps a slot.
    fileprivate mutating func becomeRow() {
        guard case .custom(let custom) = content, let copies = Fill.RepeatCount(custom.frames.count) else { return }
        let whole = LayoutSize(width: .fractionalWidth(.whole), height: .fractionalHeight(.whole))
        content = .group(LayoutGroup(.horizontal, of: LayoutItem(size: whole), fill: .equal(copies)))
    }
}

extension LayoutGroup {
    fileprivate func replacingSubitems(_ replace: (LayoutItem) -> LayoutItem) -> LayoutGroup {
        do throws(LayoutError) {
            return try LayoutGroup(axis, subitems: subitems.map(replace), fill: fill, interItemSpacing: interItemSpacing)
        } catch {
            preconditionFailure("the group is as deep and as full as before")
        }
    }
}

extension LayoutSize {
    fileprivate var estimated: LayoutSize { LayoutSize(width: width.estimated, height: height.estimated) }
}

extension Dimension {
    fileprivate var estimated: Dimension {
        if case .uniformAcrossSiblings(let points) = self { .estimated(points) } else { self }
    }
}
