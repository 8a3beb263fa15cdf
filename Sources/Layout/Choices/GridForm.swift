/// Cells in columns, all of one shape.
package struct GridForm: Sendable, Hashable {
    package static let standard = GridForm()

    /// From 1 to `Family.mostTracks`.
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
