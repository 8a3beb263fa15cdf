/// Columns of cells that scroll sideways, the next one peeking in.
package struct CarouselForm: Sendable, Hashable {
    package static let standard = CarouselForm()

    /// Cells above each other, from 1 to `Family.mostTracks`.
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
    /// Over the whole width, at the top.
    static func header(_ height: Dimension, isPinned: Bool = false) -> BoundaryItem {
        BoundaryItem(
            elementKind: "header", size: LayoutSize(width: .fractionalWidth(.whole), height: height), alignment: .top,
            pinToVisibleBounds: isPinned)
    }
}
