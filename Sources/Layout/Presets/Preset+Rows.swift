extension Preset {
    /// Post 001: plain rows, and what becomes of them under each way of scrolling.
    static let rows = [
        Preset("plain-rows", from: "001", "Rows over the whole width.", row(.none)),
        Preset("two-column-grid", from: "001", "Two columns ten points apart.", twoColumns),
        Preset("monster-pair-fullscreen", from: "001", "A large cell and two small ones that fill the screen.", monsterPair),
        Preset("nested-row-none", from: "001", "Full-width rows that scroll with the page.", row(.none)),
        Preset("nested-row-continuous", from: "001", "Full-width cells in a free scroller.", row(.continuous)),
        Preset("nested-row-paging", from: "001", "Full-width cells, a screen at a time.", row(.paging)),
        Preset("nested-group-paging", from: "001", "A large cell and two small ones, a group at a time.", pairs(.groupPaging)),
        Preset(
            "nested-group-paging-centered", from: "001", "The same, with each group in the middle of the screen.",
            pairs(.groupPagingCentered)),
    ]

    private static func row(_ behavior: ScrollingBehavior) -> LayoutSection {
        let row = LayoutItem.row(.fullWidth, .absolute(100), .cell(.fullWidth, .fullHeight))
        return LayoutSection(.group(row), orthogonalScrollingBehavior: behavior)
    }

    private static var twoColumns: LayoutSection {
        LayoutSection(.group(.row(.fullWidth, .absolute(200), .cell(.fullWidth, .fullHeight), fill: .equal(2), gap: 10)))
    }

    private static func pair(_ width: Dimension, _ height: Dimension, small: Dimension) -> LayoutItem {
        let cell = LayoutItem.cell(.fullWidth, small, slot: "small")
        return .row(
            width, height, .cell(.width(0.7), .fullHeight, slot: "large"), .column(.width(0.3), .fullHeight, cell, fill: .equal(2)))
    }

    private static var monsterPair: LayoutSection {
        // The post says 0.3 of the height and two of them; repeated, a third would fit.
        LayoutSection(.group(pair(.fullWidth, .fullHeight, small: .height(0.3))))
    }

    private static func pairs(_ behavior: ScrollingBehavior) -> LayoutSection {
        LayoutSection(
            .group(pair(.width(0.85), .height(0.4), small: .height(0.5))), interGroupSpacing: 10, orthogonalScrollingBehavior: behavior)
    }
}
