/// The header of a section in its layouts.
package enum SectionHeader: Sendable, Hashable {
    /// Each layout has a header, its own or an added one. The height and the pin replace those of its own one. A layout
    /// keeps those that are nil, and an added header has the standard height and no pin.
    case shown(height: Dimension?, isPinned: Bool?)
    /// No layout has a header.
    case removed
    /// Each layout keeps the header that it has.
    case unchanged

    /// The height of a header that its client measures.
    package static let standardHeight = Dimension.estimated(44)
}

extension Expansion {
    /// Returns the expansion with the header in the layout, its variants and its alternates.
    package func with(_ header: SectionHeader) -> Expansion {
        guard header != .unchanged else { return self }
        var expansion = self
        expansion.layout.section = layout.section.with(header)
        for index in variants.indices { expansion.variants[index].layout.section = variants[index].layout.section.with(header) }
        for index in alternates.indices {
            expansion.alternates[index].layout.section = alternates[index].layout.section.with(header)
        }
        return expansion
    }
}

extension LayoutSection {
    /// Whether the section has a place for a header.
    package var hasHeader: Bool {
        if boundarySupplementaryItems.contains(where: { $0.elementKind == .header }) { return true }
        // With the mode `firstItemInSection`, the first item takes the place of a header.
        if case .list(let list) = content { return list.headerMode == .supplementary }
        return false
    }

    fileprivate func with(_ header: SectionHeader) -> LayoutSection {
        var section = self
        switch header {
        case .unchanged: break
        case .shown(let height, let isPinned): section.showHeader(height, isPinned)
        case .removed:
            section.boundarySupplementaryItems.removeAll { $0.elementKind == .header }
            if case .list(var list) = content, list.headerMode == .supplementary {
                list.headerMode = .none
                section.content = .list(list)
            }
        }
        return section
    }

    private mutating func showHeader(_ height: Dimension?, _ isPinned: Bool?) {
        let own = boundarySupplementaryItems.indices.filter { boundarySupplementaryItems[$0].elementKind == .header }
        for index in own {
            if let height { boundarySupplementaryItems[index].size.height = height }
            if let isPinned { boundarySupplementaryItems[index].pinToVisibleBounds = isPinned }
        }
        guard own.isEmpty else { return }
        let (height, isPinned) = (height ?? SectionHeader.standardHeight, isPinned ?? false)
        // The mode of a list has neither a height nor a pin.
        let isPlain = height == SectionHeader.standardHeight && !isPinned
        if case .list(var list) = content, list.headerMode != .firstItemInSection {
            list.headerMode = isPlain ? .supplementary : .none
            content = .list(list)
            if isPlain { return }
        }
        boundarySupplementaryItems.insert(.header(height, isPinned: isPinned), at: 0)
    }
}

extension LayoutChoice {
    /// The paths of the full trees that have no header, below the object with the choice.
    package var treesWithoutHeader: [[String]] {
        var trees = [(["layout"], form)]
        trees += variants.enumerated().map { (["variants", String($0.offset), "layout"], $0.element.form) }
        trees += alternates.compactMap { alternate in alternate.form.map { (["alternates", alternate.name.text, "layout"], $0) } }
        return trees.compactMap { path, form in
            switch form {
            case .compositional(let tree), .full(let tree): tree.section.hasHeader ? nil : path
            case .list, .grid, .nestedGroup, .carousel, .preset: nil
            }
        }
    }

    /// The cells of the variants and alternates that have their own, with the paths of their objects.
    package var cells: [(path: [String], cells: CellStyles)] {
        variants.enumerated().compactMap { index, variant in variant.cells.map { (["variants", String(index)], $0) } }
            + alternates.compactMap { alternate in alternate.cells.map { (["alternates", alternate.name.text], $0) } }
    }
}

extension Expansion {
    /// Whether one of the layouts has a header.
    package var hasHeader: Bool {
        layout.section.hasHeader || variants.contains { $0.layout.section.hasHeader } || alternates.contains { $0.layout.section.hasHeader }
    }
}
