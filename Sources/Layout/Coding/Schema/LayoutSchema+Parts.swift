internal import JSON

extension LayoutSchema {
    static var measures: [JSONValue.Property] {
        let edges = ["top", "leading", "bottom", "trailing"]
        let fraction = JSONValue.any(
            of: .reference("magnitude"), .pair(.integer(0...Ratio.greatestTerm), .integer(1...Ratio.greatestTerm)))
        let points = JSONValue.reference("magnitude")
        return [
            ("magnitude", .number(0...Magnitude.greatest)), ("coordinate", .number(-Magnitude.greatest...Magnitude.greatest)),
            ("plane", .integer(-1_000_000...1_000_000)),
            ("name", .members(("type", "string"), ("minLength", 1), ("maxLength", .integer(Name.maxBytes)))),
            ("dimension", .choice(Dimension.Key.allCases.map { ($0.rawValue, $0.isFraction ? fraction : points) })),
            ("size", .closed([("width", .reference("dimension")), ("height", .reference("dimension"))], required: ["width", "height"])),
            ("insets", .closed(edges.map { ($0, .any(of: .constant(0), .number(1...Magnitude.greatest))) })),
            ("spacing", .choice(Spacing.Key.allCases.map { ($0.rawValue, points) })),
            ("edgeSpacing", .closed(edges.map { ($0, .reference("spacing")) })),
            ("offset", .closed([("x", .reference("coordinate")), ("y", .reference("coordinate"))])),
            ("anchor", anchor), ("supplementary", supplementary), ("header", header),
            (
                "decoration",
                .closed(
                    [
                        ("elementKind", .reference("name")), ("contentInsets", .reference("insets")), ("zIndex", .reference("plane")),
                        ("fill", .any(of: .reference("color"), .choice([(ColorFill.Key.gradient.rawValue, .reference("gradient"))]))),
                        ("cornerRadius", points),
                    ], required: ["elementKind"])
            ), ("color", .members(("type", "string"), ("pattern", .string(LayoutColor.pattern)))),
            (
                "gradient",
                .closed(
                    [
                        (
                            "colors",
                            .list(
                                of: .reference("color"), ("minItems", .integer(Gradient.colorCount.lowerBound)),
                                ("maxItems", .integer(Gradient.colorCount.upperBound)))
                        ), ("axis", .keywords(of: Axis.self)),
                    ], required: ["colors"])
            ),
        ]
    }

    private static var anchor: JSONValue {
        .closed(
            [
                ("edges", .list(of: .keywords(Edges.keywords.map(\.word)))), ("absoluteOffset", .reference("offset")),
                ("fractionalOffset", .reference("offset")),
            ], ("not", .members(("required", ["absoluteOffset", "fractionalOffset"]))))
    }

    private static var supplementary: JSONValue {
        .closed(
            [
                ("elementKind", .reference("name")), ("size", .reference("size")), ("containerAnchor", .reference("anchor")),
                ("itemAnchor", .reference("anchor")), ("zIndex", .reference("plane")), ("every", .integer(1...1_000_000)),
                ("phase", .integer(0...999_999)), ("when", .keywords(["new"])),
            ], required: ["elementKind", "size"])
    }

    private static var header: JSONValue {
        // Only an item at the top stretches.
        let rigid = JSONValue.members(("properties", .members(("stretchyHeader", .constant(.bool(false))))))
        let top = Alignment.allCases.filter { $0.edges.contains(.top) }.map(\.rawValue)
        let isAtTop = JSONValue.members(("properties", .members(("alignment", .keywords(top)))))
        return .closed(
            [
                ("elementKind", .reference("name")), ("size", .reference("size")), ("alignment", .keywords(of: Alignment.self)),
                ("offset", .reference("offset")), ("extendsBoundary", .bool), ("pinToVisibleBounds", .bool),
                ("contentInsets", .reference("insets")), ("zIndex", .reference("plane")), ("stretchyHeader", .bool),
            ], required: ["elementKind", "size", "alignment"], ("anyOf", .array([rigid, isAtTop])))
    }

    /// The definitions of items. Each nesting depth has its own definition, which limits the depth of groups.
    static var items: [JSONValue.Property] {
        let common: [JSONValue.Property] = [
            ("size", .reference("size")), ("contentInsets", .reference("insets")), ("edgeSpacing", .reference("edgeSpacing")),
            ("supplementaryItems", .list(of: .reference("supplementary"))),
        ]
        let cell = JSONValue.closed(
            [("kind", .constant("item"))] + common + [("slot", .reference("name"))], required: ["kind", "size"])
        let frame = JSONValue.closed(
            [
                ("x", .reference("coordinate")), ("y", .reference("coordinate")), ("width", .reference("magnitude")),
                ("height", .reference("magnitude")), ("zIndex", .reference("plane")),
            ], required: ["width", "height"])
        let frames = JSONValue.list(of: frame, ("minItems", 1), ("maxItems", .integer(CustomGroup.maxFrames)))
        let custom = JSONValue.closed(
            [("kind", .constant("custom"))] + common + [("frames", frames)], required: ["kind", "size", "frames"])
        let fill = JSONValue.any(of: .constant("repeat"), .choice(Fill.Key.allCases.map { ($0.rawValue, .integer(from: 1)) }))
        // `equal` and `times` repeat a single child.
        let listed = JSONValue.members(("properties", .members(("subitems", .members(("maxItems", 1))))))
        let repeated = JSONValue.members(("properties", .members(("fill", .constant("repeat")))))
        let groups = (1...LayoutGroup.greatestDepth).map { depth -> JSONValue.Property in
            let child =
                depth == LayoutGroup.greatestDepth
                ? JSONValue.reference("cell") : .any(of: .reference("cell"), .reference("group\(depth + 1)"))
            let subitems = JSONValue.list(of: child, ("minItems", 1), ("maxItems", .integer(LayoutGroup.maxSubitems)))
            let group = JSONValue.closed(
                [("kind", .keywords(of: Axis.self))] + common + [
                    ("subitems", subitems), ("fill", .reference("fill")), ("interItemSpacing", .reference("spacing")),
                ], required: ["kind", "size", "subitems"], ("anyOf", .array([repeated, listed])))
            return ("group\(depth)", .any(of: group, .reference("custom")))
        }
        return [("cell", cell), ("custom", custom), ("fill", fill)] + groups
    }

    static var sections: [JSONValue.Property] {
        let scale = JSONValue.closed([("min", .reference("magnitude")), ("max", .reference("magnitude"))], required: ["min", "max"])
        let fade = JSONValue.closed([("min", .number(0...1))], required: ["min"])
        let parallax = JSONValue.closed([("factor", .number(-Effect.maxParallax...Effect.maxParallax))], required: ["factor"])
        let names = JSONValue.list(of: .reference("name"))
        let separators = JSONValue.closed([
            ("visibility", .keywords(of: ListLayout.Separators.Visibility.self)), ("color", .reference("color")),
            ("insets", .reference("insets")),
        ])
        return [
            ("effect", .choice([("centerScale", scale), ("fade", fade), ("parallax", parallax)])),
            (
                "list",
                .closed([
                    ("appearance", .keywords(of: ListLayout.Appearance.self)), ("showsSeparators", .bool),
                    ("headerMode", .keywords(of: ListLayout.HeaderMode.self)), ("footerMode", .keywords(of: ListLayout.FooterMode.self)),
                    ("headerTopPadding", .reference("magnitude")), ("rowHeight", .reference("dimension")), ("leadingSwipeActions", names),
                    ("trailingSwipeActions", names), ("separators", separators), ("background", .reference("color")),
                    ("rowBackground", .reference("color")),
                ])
            ),
        ]
    }

    static var section: [JSONValue.Property] {
        let properties = JSONValue.closed([
            ("bounce", .keywords(of: ScrollingProperties.Bounce.self)),
            ("decelerationRate", .keywords(of: ScrollingProperties.DecelerationRate.self)),
        ])
        return [
            ("group", .reference("group1")), ("list", .reference("list")), ("contentInsets", .reference("insets")),
            ("contentInsetsReference", .keywords(of: InsetsReference.self)),
            ("supplementaryContentInsetsReference", .keywords(of: InsetsReference.self)), ("interGroupSpacing", .reference("magnitude")),
            ("orthogonalScrollingBehavior", .keywords(of: ScrollingBehavior.self)), ("orthogonalScrollingProperties", properties),
            ("boundarySupplementaryItems", .list(of: .reference("header"))), ("decorationItems", .list(of: .reference("decoration"))),
            ("effects", .list(of: .reference("effect"))),
        ]
    }
}

extension Dimension.Key {
    fileprivate var isFraction: Bool { self == .fractionalWidth || self == .fractionalHeight }
}
