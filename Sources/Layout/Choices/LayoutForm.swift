/// A layout as a curator writes it: a short form, or the full tree.
package enum LayoutForm: Sendable, Hashable {
    case list(ListLayout)
    case grid(GridForm)
    /// A group of groups; one of the presets, or a tree of its own.
    case nestedGroup(LayoutItem)
    case carousel(CarouselForm)
    case preset(PresetChoice)
    case compositional(LayoutDescriptor)
    /// As it is on a page.
    case full(LayoutDescriptor)

    /// Writes the form out for the section at this place of its page.
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

/// Cells in columns, all of one shape.
package struct GridForm: Sendable, Hashable {
    package static let standard = GridForm()

    /// From 1 to `Family.maxTracks`.
    package var columns = 2
    /// On wide screens; nil is as many as elsewhere.
    package var regularColumns: Int?
    /// Width to height of a cell together with the space around it; neither term is 0 or above 10,000.
    package var aspect = Ratio.one(of: 1)
    /// Between cells and around them; half of it is an inset, so it is nothing or at least two points.
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
    /// An exact part, the whole as a plain 1.
    static func part(_ numerator: Int, of denominator: Int) -> Fraction {
        guard let ratio = Ratio(numerator, denominator) else { preconditionFailure("terms are positive and below a million") }
        return ratio == .one(of: 1) ? .whole : .ratio(ratio)
    }
}

/// Columns of cells that scroll sideways, the next one peeking in.
package struct CarouselForm: Sendable, Hashable {
    package static let standard = CarouselForm()

    /// Cells above each other, from 1 to `Family.maxTracks`.
    package var rows = 1
    /// Of a column, in parts of the section's width.
    package var width = Fraction.decimal(0.93)
    /// Of a row, in points.
    package var height: Magnitude = 70
    package var paging = ScrollingBehavior.groupPaging
    /// Between columns and between rows.
    package var spacing: Magnitude = 10
    /// The height of the header; 0 is none.
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
