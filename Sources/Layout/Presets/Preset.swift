/// A named layout, possibly with parameters.
package struct Preset: Sendable {
    /// A number that a curator may change.
    package struct Parameter: Sendable {
        package let name: String
        package let abstract: String
        package let range: ClosedRange<Int>
        package let standard: Int
    }

    struct Arguments {
        fileprivate let numbers: [String: Int]
        fileprivate let parameters: [Parameter]
        /// The index of the section on its page, at most `Family.maxTracks`.
        let sectionIndex: Int

        subscript(name: String) -> Int {
            guard let parameter = parameters.first(where: { $0.name == name }) else { preconditionFailure("no parameter \(name)") }
            return numbers[name] ?? parameter.standard
        }
    }

    package let name: String
    /// The post that the layout comes from.
    package let origin: String
    package let abstract: String
    package let parameters: [Parameter]
    private let make: @Sendable (Arguments) -> Expansion

    init(
        _ name: String, from origin: String, _ abstract: String, parameters: [Parameter] = [],
        make: @escaping @Sendable (Arguments) -> Expansion
    ) {
        self.name = name
        self.origin = origin
        self.abstract = abstract
        self.parameters = parameters
        self.make = make
    }

    init(_ name: String, from origin: String, _ abstract: String, _ section: LayoutSection) {
        self.init(name, from: origin, abstract) { _ in Expansion(section) }
    }

    /// Expands the preset with default arguments for the section at this position of its page.
    package func expanded(at sectionIndex: Int = 0) -> Expansion { expanded([:], at: sectionIndex) }

    func expanded(_ numbers: [String: Int], at sectionIndex: Int) -> Expansion {
        make(Arguments(numbers: numbers, parameters: parameters, sectionIndex: min(max(sectionIndex, 0), Family.maxTracks)))
    }

    package static let all: [Preset] = features + rows + photos + emojis + stacks + shelves

    package static func named(_ name: String) -> Preset? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

/// Presets are equal by name, which is unique.
extension Preset: Hashable {
    package static func == (a: Preset, b: Preset) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Preset {
    /// The chart shelf of an app store.
    static let shelves = [
        Preset(
            "top-apps-carousel", from: "App Store", "Columns of three rows; the next column is partly visible.",
            parameters: [Parameter(name: "rows", abstract: "Rows per column.", range: 1...8, standard: 3)]
        ) { arguments in
            CarouselForm(rows: arguments["rows"], header: 44).expansion
        }
    ]
}

extension Preset {
    /// Post 004: two thirds next to a stack.
    static let stacks = [
        Preset(
            "two-thirds-stack", from: "004", "A cell two thirds wide next to two stacked cells.",
            LayoutSection(.group(twoThirds(.height(0.3))))),
        Preset(
            "two-thirds-stack-triplet", from: "004", "A cell two thirds wide next to two stacked cells, with a row of three below.", triplet
        ),
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
        // The post keeps the first row at 0.3, which would be a third of the intended height.
        return LayoutSection(.group(.column(.fullWidth, .height(0.3), twoThirds(.height(0.5)), three)))
    }
}

extension Preset {
    /// Post 003: the same items as a grid and as a column, and in sections by initial.
    static let emojis = [
        Preset("emoji-grid", from: "003", "Two columns below a pinned header; each row is a quarter of the screen.", grid),
        Preset("emoji-column", from: "003", "One column of rows below a pinned header.", column),
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

extension Preset {
    /// Post 001: plain rows under each scrolling behavior.
    static let rows = [
        Preset("plain-rows", from: "001", "Full-width rows.", row(.none)),
        Preset("two-column-grid", from: "001", "Two columns ten points apart.", twoColumns),
        Preset("monster-pair-fullscreen", from: "001", "A large cell and two small ones that fill the screen.", monsterPair),
        Preset("nested-row-none", from: "001", "Full-width rows that scroll with the page.", row(.none)),
        Preset("nested-row-continuous", from: "001", "Full-width cells that scroll freely.", row(.continuous)),
        Preset("nested-row-paging", from: "001", "Full-width cells, paged by screen.", row(.paging)),
        Preset("nested-group-paging", from: "001", "A large cell and two small ones, paged by group.", pairs(.groupPaging)),
        Preset(
            "nested-group-paging-centered", from: "001", "A large cell and two small ones, paged by group and centered on the screen.",
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
        // The post uses two of 0.3 of the height. With `repeat`, a third one would fit.
        LayoutSection(.group(pair(.fullWidth, .fullHeight, small: .height(0.3))))
    }

    private static func pairs(_ behavior: ScrollingBehavior) -> LayoutSection {
        LayoutSection(
            .group(pair(.width(0.85), .height(0.4), small: .height(0.5))), interGroupSpacing: 10, orthogonalScrollingBehavior: behavior)
    }
}

extension Preset {
    /// Post 000: features of many cells, most of them in a scroller.
    static let features = [
        Preset("feature-pair", from: "000", "A large cell next to two small ones.", featurePair(.none)),
        Preset(
            "feature-pair-carousel", from: "000", "A large cell next to two small ones, in a scroller that stops at each pair.",
            featurePair(.continuousGroupLeadingBoundary)),
        Preset(
            "tri-column-carousel", from: "000",
            "Columns of three cells, one tall cell and three cells, which leave one percent of the width free.", triColumn),
        Preset(
            "image-carousel", from: "000", "Banners. Each swipe scrolls by the width of the screen, which is wider than a banner.",
            imageCarousel),
        Preset("tree-carousel", from: "000", "Two columns of one large and four small cells, mirrored.", tree),
        Preset("square-family-carousel", from: "000", "A large square among eight small ones.", squareFamily),
    ]

    private static let five = Insets(all: 5)

    /// Returns a section of the post, with insets of five points on all edges.
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
        // The post uses 0.3 of the height. Three equal copies make it exactly a third.
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
        // The columns are as high as the enclosing group is wide.
        let leading = LayoutItem.column(.width(0.5), .fullWidth, large, pair, pair)
        let trailing = LayoutItem.column(.width(0.5), .fullWidth, pair, pair, large)
        return section(.row(.width(0.9), .width(0.9), leading, trailing), .continuousGroupLeadingBoundary)
    }

    private static var squareFamily: LayoutSection {
        let large = LayoutItem.cell(.fullWidth, .fullWidth, insets: five, slot: "large")
        let small = LayoutItem.cell(.width(0.5), .width(0.5), insets: five, slot: "small")
        let pair = LayoutItem.row(.fullWidth, .width(0.5), small)
        let quarter = LayoutItem.cell(.fullWidth, .height(0.25), insets: five, slot: "small")
        // The widths add up to 1.0001. The second column fits within the tolerance of half a pixel.
        let leading = LayoutItem.column(.width(0.6667), .fullHeight, large, pair, pair)
        let trailing = LayoutItem.column(.width(0.3334), .fullHeight, quarter)
        return section(.row(.width(0.9), .width(1.20006), leading, trailing), .continuousGroupLeadingBoundary)
    }
}
