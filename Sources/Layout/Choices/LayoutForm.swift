/// A layout as a curator writes it: a short form or the full tree.
package enum LayoutForm: Sendable, Hashable {
    case list(ListLayout)
    case grid(GridForm)
    /// A group of groups, from a preset or as a custom tree.
    case nestedGroup(LayoutItem)
    case carousel(CarouselForm)
    case preset(PresetChoice)
    case compositional(LayoutDescriptor)
    /// A layout in the form that pages contain.
    case full(LayoutDescriptor)

    /// Expands the form for the section at this position of its page.
    package func expanded(at sectionIndex: Int) -> Expansion {
        switch self {
        case .list(let list): return list.expansion
        case .grid(let grid): return grid.expansion
        case .nestedGroup(let tree):
            return Expansion(LayoutDescriptor(LayoutSection(.group(tree)), family: Family(.nestedGroup)))
        case .carousel(let carousel): return carousel.expansion
        case .preset(let choice): return choice.expanded(at: sectionIndex)
        case .compositional(var descriptor):
            descriptor.family = descriptor.family ?? Family(of: descriptor.section)
            return Expansion(descriptor)
        case .full(let descriptor): return Expansion(descriptor)
        }
    }

    /// Expands the form for an alternate, which has one layout for all screens and text sizes. So the cells of a form with a
    /// variant for large text are as high as their content at every text size.
    func expandedForAlternate(at sectionIndex: Int) -> (layout: LayoutDescriptor, omitted: [Condition]) {
        let expansion = expanded(at: sectionIndex)
        if case .grid(let grid) = self { return (grid.layoutForEveryScreen, expansion.conditionsOfScreens) }
        let layout = expansion.variants.first { $0.condition == .largeText }?.layout ?? expansion.layout
        return (layout, expansion.conditionsOfScreens)
    }
}

extension Expansion {
    /// The conditions of the variants that are not only for large text. A variant that looks like the layout is not missed.
    fileprivate var conditionsOfScreens: [Condition] {
        variants.filter { $0.condition != .largeText && $0.layout != layout }.map(\.condition)
    }
}

extension ListLayout {
    /// The list, with rows as high as their content at accessibility text sizes.
    fileprivate var expansion: Expansion {
        var expansion = Expansion(LayoutSection(.list(self)))
        guard !rowHeight.isEstimated else { return expansion }
        var largeText = self
        largeText.rowHeight = rowHeight.estimate
        expansion.variants = [.init(condition: .largeText, layout: Expansion(LayoutSection(.list(largeText))).layout)]
        return expansion
    }
}

extension Dimension {
    /// An estimate that has the dimension on a screen of a usual size.
    fileprivate var estimate: Dimension {
        let points: Double? =
            switch self {
            case .fractionalWidth(let fraction): max(44, (390 * fraction.value).rounded())
            case .fractionalHeight(let fraction): max(44, (844 * fraction.value).rounded())
            case .absolute(let points): points.value
            case .estimated, .uniformAcrossSiblings: nil
            }
        return points.map { .estimated(Magnitude($0) ?? 44) } ?? self
    }
}

/// A grid of equal cells.
package struct GridForm: Sendable, Hashable {
    package static let standard = GridForm()

    /// The number of columns, from 1 to `Family.maxTracks`.
    package var columns = 2
    /// The number of columns on wide screens, or nil to use `columns`.
    package var regularColumns: Int?
    /// The ratio of width to height of a cell with its spacing. Neither term is 0 or above 10,000.
    package var aspect = Ratio.one(of: 1)
    /// The spacing between cells and around them. Half of it becomes an inset, so it is 0 or at least two points.
    package var spacing: Magnitude = 10

    var expansion: Expansion {
        var expansion = Expansion(layout(columns))
        if let regularColumns, regularColumns != columns {
            expansion.variants = [
                .init(
                    condition: Condition(horizontalSizeClass: .regular, minTextSize: .accessibilityMedium),
                    layout: layoutForLargeText(regularColumns, width: 820)),
                .init(condition: Condition(horizontalSizeClass: .regular), layout: layout(regularColumns)),
            ]
        }
        expansion.variants.append(.init(condition: .largeText, layout: layoutForLargeText(columns, width: 390)))
        return expansion
    }

    /// The layout of an alternate, with the same columns at every text size.
    fileprivate var layoutForEveryScreen: LayoutDescriptor { selfSizingLayout(columns, width: 390) }

    /// Returns half the columns, rounded up.
    private func layoutForLargeText(_ columns: Int, width: Double) -> LayoutDescriptor {
        selfSizingLayout((columns + 1) / 2, width: width)
    }

    /// Returns columns whose cells are as high as their content. The estimate has the aspect ratio on a screen of this
    /// width.
    private func selfSizingLayout(_ columns: Int, width: Double) -> LayoutDescriptor {
        let estimate = width / Double(columns) * Double(aspect.denominator) / Double(aspect.numerator)
        let height = Dimension.estimated(Magnitude(max(44, estimate.rounded())) ?? 44)
        let (half, whole) = (Inset(spacing.value / 2) ?? 0, Inset(spacing.value) ?? 0)
        // Cells that size themselves have no vertical insets, so rows are apart instead.
        let cell = LayoutItem(
            size: LayoutSize(width: .fractionalWidth(.part(1, of: columns)), height: height),
            contentInsets: Insets(leading: half, trailing: half))
        let row = LayoutItem(
            .group(LayoutGroup(.horizontal, of: cell)), size: LayoutSize(width: .fractionalWidth(.whole), height: height))
        let section = LayoutSection(
            .group(row), contentInsets: Insets(top: whole, leading: half, bottom: whole, trailing: half), interGroupSpacing: spacing)
        return LayoutDescriptor(section, family: Family(.grid, columns: columns))
    }

    private func layout(_ columns: Int) -> LayoutDescriptor {
        let insets = Insets(all: Inset(spacing.value / 2) ?? 0)
        let cell = LayoutItem(
            size: LayoutSize(width: .fractionalWidth(.part(1, of: columns)), height: .fractionalHeight(.whole)), contentInsets: insets)
        let height = Fraction.part(aspect.denominator, of: aspect.numerator * columns)
        let row = LayoutItem(
            .group(LayoutGroup(.horizontal, of: cell)),
            size: LayoutSize(width: .fractionalWidth(.whole), height: .fractionalWidth(height)))
        return LayoutDescriptor(LayoutSection(.group(row), contentInsets: insets), family: Family(.grid, columns: columns))
    }
}

extension Fraction {
    /// Returns an exact fraction, or `.whole` for all of it.
    static func part(_ numerator: Int, of denominator: Int) -> Fraction {
        guard let ratio = Ratio(numerator, denominator) else { preconditionFailure("terms are positive and below a million") }
        return ratio == .one(of: 1) ? .whole : .ratio(ratio)
    }
}

/// A horizontally scrolling row of columns that shows the edge of the next column.
package struct CarouselForm: Sendable, Hashable {
    package static let standard = CarouselForm()

    /// The number of cells in a column, from 1 to `Family.maxTracks`.
    package var rows = 1
    /// The width of a column as a fraction of the section's width.
    package var width = Fraction.decimal(0.93)
    /// The height of a row in points.
    package var height: Magnitude = 70
    package var paging = ScrollingBehavior.groupPaging
    /// The spacing between columns and between rows.
    package var spacing: Magnitude = 10
    /// The height of a header that a preset has, or nil.
    var header: Magnitude?

    var expansion: Expansion {
        let whole = Magnitude(height.value * Double(rows)) ?? height
        let layout = layout(
            row: .fractionalHeight(.part(1, of: rows)), column: .absolute(whole), header: header.map(Dimension.absolute))
        let largeText = self.layout(row: .estimated(height), column: .estimated(whole), header: header.map(Dimension.estimated))
        return Expansion(layout, variants: [.init(condition: .largeText, layout: largeText)])
    }

    private func layout(row: Dimension, column height: Dimension, header: Dimension?) -> LayoutDescriptor {
        let cell = LayoutItem(size: LayoutSize(width: .fractionalWidth(.whole), height: row))
        let column = LayoutGroup(
            .vertical, of: cell, fill: .equal(Fill.RepeatCount(rows) ?? 1), interItemSpacing: rows > 1 ? .fixed(spacing) : .zero)
        let size = LayoutSize(width: .fractionalWidth(width), height: height)
        var section = LayoutSection(
            .group(LayoutItem(.group(column), size: size)), contentInsets: Insets(leading: 20, bottom: 16, trailing: 20),
            interGroupSpacing: spacing, orthogonalScrollingBehavior: paging)
        if let header { section.boundarySupplementaryItems = [.header(header)] }
        return LayoutDescriptor(section, family: Family(.carousel, rows: rows, paging: paging))
    }
}

extension Condition {
    /// Holds from the smallest accessibility text size.
    static let largeText = Condition(minTextSize: .accessibilityMedium)
}

extension BoundaryItem {
    static func header(_ height: Dimension, isPinned: Bool = false) -> BoundaryItem {
        BoundaryItem(
            elementKind: .header, size: LayoutSize(width: .fractionalWidth(.whole), height: height), alignment: .top,
            pinToVisibleBounds: isPinned)
    }
}
