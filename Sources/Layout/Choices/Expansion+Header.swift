/// The header of a section in its layouts.
package enum SectionHeader: Sendable, Hashable {
    /// Each layout without a header gets one of this height.
    case added(height: Dimension, isPinned: Bool)
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
        if case .list(let list) = content { return list.headerMode != .none }
        return false
    }

    fileprivate func with(_ header: SectionHeader) -> LayoutSection {
        var section = self
        switch header {
        case .unchanged: break
        case .added(let height, let isPinned):
            guard !hasHeader else { break }
            // The mode of a list has neither a height nor a pin.
            if case .list(var list) = content, height == SectionHeader.standardHeight, !isPinned {
                list.headerMode = .supplementary
                section.content = .list(list)
            } else {
                section.boundarySupplementaryItems.insert(.header(height, isPinned: isPinned), at: 0)
            }
        case .removed:
            section.boundarySupplementaryItems.removeAll { $0.elementKind == .header }
            if case .list(var list) = content, list.headerMode == .supplementary {
                list.headerMode = .none
                section.content = .list(list)
            }
        }
        return section
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
