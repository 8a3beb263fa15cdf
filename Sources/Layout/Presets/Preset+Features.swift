extension Preset {
    /// Post 000: features of many cells, most of them in a scroller.
    static let features = [
        Preset("feature-pair", from: "000", "A large cell with two small ones beside it.", featurePair(.none)),
        Preset(
            "feature-pair-carousel", from: "000", "The same in a scroller that stops at each pair.",
            featurePair(.continuousGroupLeadingBoundary)),
        Preset("tri-column-carousel", from: "000", "Three cells, a tall one, three cells; the columns leave a hundredth free.", triColumn),
        Preset(
            "image-carousel", from: "000", "Banners that page by the screen and so drift off their edge; groupPaging would not.",
            imageCarousel),
        Preset("tree-carousel", from: "000", "Two columns of one large and four small cells, mirrored.", tree),
        Preset("square-family-carousel", from: "000", "A large square among eight small ones.", squareFamily),
    ]

    private static let five = Insets(all: 5)

    /// Every section of the post has insets of five points all around.
    private static func section(_ group: LayoutItem, _ behavior: ScrollingBehavior) -> LayoutSection {
        LayoutSection(.group(group), contentInsets: five, orthogonalScrollingBehavior: behavior)
    }

    private static func featurePair(_ behavior: ScrollingBehavior) -> LayoutSection {
        let large = LayoutItem.cell(.width(0.7), .fullHeight, insets: five, slot: "large")
        let small = LayoutItem.cell(.fullWidth, .height(0.5), insets: five, slot: "small")
        let pair = LayoutItem.column(.width(0.3), .fullHeight, small, fill: .equal(2))
        return section(.row(.width(0.85), .height(0.4), large, pair), behavior)
    }

    private static var triColumn: LayoutSection {
        // The post says 0.3 of the height; three equal copies make it an exact third.
        let small = LayoutItem.cell(.fullWidth, .height(0.3), insets: five, slot: "small")
        let tall = LayoutItem.cell(.width(0.33), .fullHeight, insets: five, slot: "large")
        let three = LayoutItem.column(.width(0.33), .fullHeight, small, fill: .equal(3))
        return section(.row(.width(0.85), .height(0.5), three, tall, three), .continuousGroupLeadingBoundary)
    }

    private static var imageCarousel: LayoutSection {
        let image = LayoutItem.cell(.fullWidth, .fullHeight, insets: Insets(top: 5, leading: 5, bottom: 5, trailing: 15))
        return section(.row(.fullWidth, .absolute(150), image), .paging)
    }

    private static var tree: LayoutSection {
        let large = LayoutItem.cell(.fullWidth, .height(0.5), insets: five, slot: "large")
        let small = LayoutItem.cell(.width(0.5), .fullHeight, insets: five, slot: "small")
        let pair = LayoutItem.row(.fullWidth, .height(0.25), small, fill: .equal(2))
        // The columns are as high as the group around them is wide.
        let leading = LayoutItem.column(.width(0.5), .fullWidth, large, pair, pair)
        let trailing = LayoutItem.column(.width(0.5), .fullWidth, pair, pair, large)
        return section(.row(.width(0.9), .width(0.9), leading, trailing), .continuousGroupLeadingBoundary)
    }

    private static var squareFamily: LayoutSection {
        let large = LayoutItem.cell(.fullWidth, .fullWidth, insets: five, slot: "large")
        let small = LayoutItem.cell(.width(0.5), .width(0.5), insets: five, slot: "small")
        let pair = LayoutItem.row(.fullWidth, .width(0.5), small)
        let quarter = LayoutItem.cell(.fullWidth, .height(0.25), insets: five, slot: "small")
        // Together 1.0001 of the width: the second column fits by the tolerance of half a pixel.
        let leading = LayoutItem.column(.width(0.6667), .fullHeight, large, pair, pair)
        let trailing = LayoutItem.column(.width(0.3334), .fullHeight, quarter)
        return section(.row(.width(0.9), .width(1.20006), leading, trailing), .continuousGroupLeadingBoundary)
    }
}
