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
        case .list(let list): return Expansion(LayoutSection(.list(list)))
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
        var expansion = Expansion(Self.layout(columns, aspect, spacing))
        if let regularColumns, regularColumns != columns {
            let wide = Self.layout(regularColumns, aspect, spacing)
            expansion.variants = [.init(condition: .horizontalSizeClass(.regular), layout: wide)]
        }
        return expansion
    }

    private static func layout(_ columns: Int, _ aspect: Ratio, _ spacing: Magnitude) -> LayoutDescriptor {
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
    /// The height of the header. 0 omits it.
    package var header: Magnitude = 44

    var expansion: Expansion {
        let cell = LayoutItem(
            size: LayoutSize(width: .fractionalWidth(.whole), height: .fractionalHeight(.part(1, of: rows))))
        let column = LayoutGroup(
            .vertical, of: cell, fill: .equal(Fill.RepeatCount(rows) ?? 1), interItemSpacing: rows > 1 ? .fixed(spacing) : .zero)
        let size = LayoutSize(
            width: .fractionalWidth(width), height: .absolute(Magnitude(height.value * Double(rows)) ?? height))
        var section = LayoutSection(
            .group(LayoutItem(.group(column), size: size)), contentInsets: Insets(leading: 20, bottom: 16, trailing: 20),
            interGroupSpacing: spacing, orthogonalScrollingBehavior: paging)
        if header.value > 0 { section.boundarySupplementaryItems = [.header(.absolute(header))] }
        return Expansion(LayoutDescriptor(section, family: Family(.carousel, rows: rows, paging: paging)))
    }
}

extension BoundaryItem {
    static func header(_ height: Dimension, isPinned: Bool = false) -> BoundaryItem {
        BoundaryItem(
            elementKind: "header", size: LayoutSize(width: .fractionalWidth(.whole), height: height), alignment: .top,
            pinToVisibleBounds: isPinned)
    }
}
