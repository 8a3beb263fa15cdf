extension LayoutSection {
    /// Returns the most similar section that does not need a capability. An unused or unknown capability changes
    /// nothing.
    func reduced(by capability: Capability) -> LayoutSection {
        var section = self
        switch capability {
        case .scrollingProperties: section.orthogonalScrollingProperties = .automatic
        case .centerScale, .fade, .parallax: section.effects.removeAll { $0.capability == capability }
        case .stretchyHeader:
            for index in section.boundarySupplementaryItems.indices { section.boundarySupplementaryItems[index].stretchyHeader = false }
        case .pageIndicator: section.boundarySupplementaryItems.removeAll { $0.elementKind == .pageIndicator }
        case .themeTokens: section.dropTokens()
        case .listSeparators: section.changeList { $0.dropSeparators() }
        case .listBackgrounds:
            section.changeList { ($0.background, $0.rowBackground) = (nil, nil) }
        case .decorationFills:
            section.changeDecorations { ($0.fill, $0.cornerRadius) = (nil, 0) }
        case .styledLists:
            section.boundarySupplementaryItems = boundaryItems
            section.changeList { $0 = $0.plain }
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
        changeList { $0.rowHeight = $0.rowHeight.estimated }
        for index in boundarySupplementaryItems.indices {
            boundarySupplementaryItems[index].size = boundarySupplementaryItems[index].size.estimated
        }
    }

    /// Replaces colors that a theme defines by the client's defaults.
    private mutating func dropTokens() {
        changeList { list in
            if list.separators.color?.isToken == true { list.separators.color = nil }
            if list.background?.isToken == true { list.background = nil }
            if list.rowBackground?.isToken == true { list.rowBackground = nil }
        }
        changeDecorations { decoration in
            if decoration.fill?.usesTokens == true { decoration.fill = nil }
        }
    }

    private mutating func changeDecorations(_ change: (inout DecorationItem) -> Void) {
        for index in decorationItems.indices { change(&decorationItems[index]) }
    }

    private mutating func changeList(_ change: (inout ListLayout) -> Void) {
        guard case .list(var list) = content else { return }
        change(&list)
        content = .list(list)
    }

    private mutating func changeItems(_ change: (inout LayoutItem) -> Void) {
        guard case .group(let group) = content else { return }
        content = .group(group.changed(change))
    }
}

extension ListLayout {
    /// Keeps only whether lines separate the rows.
    fileprivate mutating func dropSeparators() {
        switch separators.visibility {
        case .automatic: break
        case .visible: showsSeparators = true
        case .hidden: showsSeparators = false
        }
        separators = .standard
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
