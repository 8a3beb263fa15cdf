extension LayoutSection {
    /// The capabilities beyond the core that a client needs for this section.
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
    /// The same rows without custom styling.
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

/// A layout feature beyond the core.
///
/// Every client supports the core: fractions, absolute and estimated sizes, both kinds of group, the three fills, the
/// six behaviors, headers, backgrounds and the plain list.
package struct Capability: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package static let styledLists = Capability("list.styled")
    package static let scrollingProperties = Capability("scroll.properties")
    package static let centerScale = Capability("effect.centerScale")
    package static let supplementaryItems = Capability("supplementary.item")
    package static let uniformDimensions = Capability("dimension.uniform")
    package static let customGroups = Capability("group.custom")

    /// All capabilities in the order in which fallbacks drop them, the least important first.
    package static let all = [
        styledLists, scrollingProperties, centerScale, supplementaryItems, uniformDimensions, customGroups,
    ]

    package static func == (a: Capability, b: Capability) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }
}

extension Capability: Comparable {
    package static func < (a: Capability, b: Capability) -> Bool { a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
}
