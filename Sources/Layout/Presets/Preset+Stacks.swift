extension Preset {
    /// Post 004: two thirds beside a stack.
    static let stacks = [
        Preset(
            "two-thirds-stack", from: "004", "A cell of two thirds with two stacked beside it.",
            LayoutSection(.group(twoThirds(.height(0.3))))),
        Preset("two-thirds-stack-triplet", from: "004", "The same with a row of three below.", triplet),
    ]

    private static func twoThirds(_ height: Dimension) -> LayoutItem {
        let small = LayoutItem.cell(.fullWidth, .height(0.5), slot: "small")
        return .row(
            .fullWidth, height, .cell(.width(2, of: 3), .fullHeight, slot: "large"),
            .column(.width(1, of: 3), .fullHeight, small, fill: .equal(2)))
    }

    private static var triplet: LayoutSection {
        let three = LayoutItem.row(
            .fullWidth, .height(0.5), .cell(.width(1, of: 3), .fullHeight, slot: "small"), fill: .equal(3))
        // The post leaves the first row at 0.3, which would be a third of what is meant.
        return LayoutSection(.group(.column(.fullWidth, .height(0.3), twoThirds(.height(0.5)), three)))
    }
}
