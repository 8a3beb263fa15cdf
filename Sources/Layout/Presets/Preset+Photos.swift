extension Preset {
    /// Post 002: a grid of photos with all optional elements.
    static let photos = [
        Preset(
            "photo-grid", from: "002", "Squares five points apart.",
            parameters: [Parameter(name: "columns", abstract: "Squares per row.", range: 1...12, standard: 3)]
        ) { Expansion(grid($0["columns"])) },
        Preset("photo-grid-3", from: "002", "Squares, three in a row, five points apart.", grid(3)),
        Preset(
            "photo-grid-3-headers", from: "002", "Squares, three in a row, with headers as high as their text.", grid(3, header: header)),
        Preset("photo-grid-3-pinned-headers", from: "002", "Squares, three in a row, with pinned headers.", grid(3, header: pinnedHeader)),
        Preset("photo-grid-3-new-banner", from: "002", "Squares with a banner on every fifth one.", newBanner),
        Preset("photo-grid-3-background", from: "002", "Squares on a rounded background.", background),
        Preset(
            "photo-grid-by-section", from: "002", "Squares, with one more column in each following section of the page.",
            parameters: [Parameter(name: "columns", abstract: "Squares per row of the first section.", range: 1...12, standard: 3)]
        ) { Expansion(grid(min($0["columns"] + $0.sectionIndex, Family.maxTracks), header: header)) },
        Preset(
            "photo-grid-adaptive", from: "002", "Three squares in a row, six on a wide screen.",
            parameters: [
                Parameter(name: "compact", abstract: "Squares per row on a narrow screen.", range: 1...12, standard: 3),
                Parameter(name: "regular", abstract: "Squares per row on a wide screen.", range: 1...24, standard: 6),
            ], make: adaptive),
        Preset("mosaic-large-four", from: "002", "A large square and four small ones.", mosaic(.none)),
        Preset("mosaic-carousel", from: "002", "A large square and four small ones, paged by group.", mosaic(.groupPaging)),
        Preset("zoom-carousel", from: "002", "Squares that grow toward the center of the screen.", zoom),
    ]

    private static let gutter = Insets(all: 2.5)
    private static let header = BoundaryItem.header(.estimated(100))
    private static let pinnedHeader = BoundaryItem.header(.estimated(100), isPinned: true)

    private static func grid(
        _ columns: Int, cellInsets: Insets = gutter, sectionInsets: Insets = gutter, header: BoundaryItem? = nil,
        banners: [SupplementaryItem] = []
    ) -> LayoutSection {
        var cell = LayoutItem.cell(.width(1, of: columns), .fullHeight, insets: cellInsets)
        cell.supplementaryItems = banners
        return LayoutSection(
            .group(.row(.fullWidth, .width(1, of: columns), cell)), contentInsets: sectionInsets,
            boundarySupplementaryItems: header.map { [$0] } ?? [])
    }

    private static var newBanner: LayoutSection {
        let banner = SupplementaryItem(
            elementKind: "new-banner", size: LayoutSize(width: .width(1.1), height: .absolute(30)),
            containerAnchor: Anchor(edges: .bottom, offset: .absolute(Offset(y: 10))), occurrence: .firstOf(5))
        return grid(3, cellInsets: Insets(all: 8), sectionInsets: Insets(all: 8), banners: [banner])
    }

    private static var background: LayoutSection {
        var section = grid(3, sectionInsets: Insets(all: 16))
        section.decorationItems = [DecorationItem(elementKind: "background", contentInsets: Insets(all: 8))]
        return section
    }

    @Sendable private static func adaptive(_ arguments: Arguments) -> Expansion {
        let wide = grid(arguments["regular"], header: header)
        var expansion = Expansion(grid(arguments["compact"], header: header))
        expansion.variants = [
            .init(condition: Condition(horizontalSizeClass: .regular), layout: LayoutDescriptor(wide, family: Family(of: wide)))
        ]
        return expansion
    }

    private static func mosaic(_ behavior: ScrollingBehavior) -> LayoutSection {
        let large = LayoutItem.cell(.width(0.5), .fullHeight, insets: gutter, slot: "large")
        let small = LayoutItem.cell(.fullWidth, .height(0.5), insets: gutter, slot: "small")
        let pair = LayoutItem.column(.width(0.25), .fullHeight, small)
        return LayoutSection(
            .group(.row(.fullWidth, .width(0.5), large, pair, pair)), contentInsets: gutter, orthogonalScrollingBehavior: behavior,
            boundarySupplementaryItems: [header])
    }

    private static var zoom: LayoutSection {
        LayoutSection(
            .group(.row(.width(1, of: 3), .width(1, of: 3), .cell(.fullWidth, .fullHeight))),
            contentInsets: Insets(top: 100, leading: 2.5, trailing: 2.5), orthogonalScrollingBehavior: .continuous,
            effects: [.centerScale(min: 0.7, max: 1.1)])
    }
}
