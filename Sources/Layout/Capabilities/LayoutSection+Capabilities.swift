extension LayoutSection {
    /// The capabilities beyond the core that a client needs for this section.
    package var capabilities: Set<Capability> {
        var found: Set<Capability> = []
        switch content {
        case .group(let group): group.collect(into: &found)
        case .list(let list):
            if list != list.plain { found.insert(.styledLists) }
            if list.separators != .standard { found.insert(.listSeparators) }
            if list.background != nil || list.rowBackground != nil { found.insert(.listBackgrounds) }
            list.rowHeight.collect(into: &found)
        }
        for header in boundarySupplementaryItems {
            header.size.collect(into: &found)
            if header.stretchyHeader { found.insert(.stretchyHeader) }
            if header.elementKind == .pageIndicator { found.insert(.pageIndicator) }
        }
        if decorationItems.contains(where: { $0.fill != nil || $0.cornerRadius != 0 }) { found.insert(.decorationFills) }
        if usesTokens { found.insert(.themeTokens) }
        if orthogonalScrollingProperties != .automatic { found.insert(.scrollingProperties) }
        for effect in effects { found.insert(effect.capability) }
        return found
    }

    /// Whether a color is a token.
    private var usesTokens: Bool {
        if case .list(let list) = content {
            let colors = [list.separators.color, list.background, list.rowBackground]
            if colors.contains(where: { $0?.isToken == true }) { return true }
        }
        return decorationItems.contains { $0.fill?.usesTokens == true }
    }
}

extension Effect {
    var capability: Capability {
        switch self {
        case .centerScale: .centerScale
        case .fade: .fade
        case .parallax: .parallax
        }
    }
}

extension ListLayout {
    /// The same rows and colors without custom styling.
    var plain: ListLayout {
        ListLayout(
            showsSeparators: showsSeparators, rowHeight: rowHeight, separators: separators, background: background,
            rowBackground: rowBackground)
    }
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

    // Added in version 1.1 of the descriptor.
    package static let parallax = Capability("effect.parallax")
    package static let fade = Capability("effect.fade")
    package static let stretchyHeader = Capability("effect.stretchyHeader")
    package static let pageIndicator = Capability("effect.pageIndicator")
    package static let themeTokens = Capability("theme.tokens")
    package static let listSeparators = Capability("list.separators")
    package static let listBackgrounds = Capability("list.background")
    package static let decorationFills = Capability("decoration.fill")

    // Part of version 1.0.
    package static let styledLists = Capability("list.styled")
    package static let scrollingProperties = Capability("scroll.properties")
    package static let centerScale = Capability("effect.centerScale")
    package static let supplementaryItems = Capability("supplementary.item")
    package static let uniformDimensions = Capability("dimension.uniform")
    package static let customGroups = Capability("group.custom")

    /// All capabilities in the order in which fallbacks drop them, the least important first.
    ///
    /// The capabilities of version 1.1 come first, so that a client of version 1.0 finds a fallback with all that it supports.
    package static let all = [
        parallax, fade, stretchyHeader, pageIndicator, themeTokens, listSeparators, listBackgrounds, decorationFills, styledLists,
        scrollingProperties, centerScale, supplementaryItems, uniformDimensions, customGroups,
    ]

    package static func == (a: Capability, b: Capability) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }
}

extension Capability: Comparable {
    package static func < (a: Capability, b: Capability) -> Bool { a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
}
