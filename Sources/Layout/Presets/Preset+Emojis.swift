extension Preset {
    /// Post 003: the same items as a grid and as a column, and in sections by their initial.
    static let emojis = [
        Preset("emoji-grid", from: "003", "Two columns, each row a quarter of the screen, under a header that stays in sight.", grid),
        Preset("emoji-column", from: "003", "One column of rows under a header that stays in sight.", column),
        Preset("alphabetical-sections", from: "003", "A section for each initial, as a grid or as a column.") { _ in
            var expansion = Expansion(grid)
            expansion.active = "grid"
            expansion.alternates = [.init(name: "column", layout: LayoutDescriptor(column, family: Family(of: column)))]
            return expansion
        },
    ]

    private static var grid: LayoutSection {
        let row = LayoutItem.row(
            .fullWidth, .height(1, of: 4), .cell(.fullWidth, .fullHeight), fill: .equal(2), gap: 20,
            insets: Insets(leading: 20, trailing: 20))
        return section(row, spacing: 20)
    }

    private static var column: LayoutSection {
        let row = LayoutItem.row(
            .fullWidth, .absolute(120), .cell(.fullWidth, .fullHeight), fill: .equal(1), insets: Insets(leading: 10, trailing: 10))
        return section(row, spacing: 10)
    }

    private static func section(_ row: LayoutItem, spacing: Int) -> LayoutSection {
        let inset = Inset(integerLiteral: spacing)
        return LayoutSection(
            .group(row), contentInsets: Insets(top: inset, bottom: inset), interGroupSpacing: Magnitude(integerLiteral: spacing),
            boundarySupplementaryItems: [.header(.absolute(40), isPinned: true)])
    }
}
