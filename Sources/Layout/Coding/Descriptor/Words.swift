extension ScrollingBehavior: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("none", .none), ("continuous", .continuous), ("continuousGroupLeadingBoundary", .continuousGroupLeadingBoundary),
            ("paging", .paging), ("groupPaging", .groupPaging), ("groupPagingCentered", .groupPagingCentered),
        ]
    }
}

extension ScrollingProperties.Bounce: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("automatic", .automatic), ("always", .always), ("never", .never)] }
}

extension ScrollingProperties.DecelerationRate: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("automatic", .automatic), ("normal", .normal), ("fast", .fast)] }
}

extension InsetsReference: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("automatic", .automatic), ("none", .none), ("safeArea", .safeArea), ("layoutMargins", .layoutMargins),
            ("readableContent", .readableContent),
        ]
    }
}

extension Alignment: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("top", .top), ("topLeading", .topLeading), ("topTrailing", .topTrailing), ("bottom", .bottom),
            ("bottomLeading", .bottomLeading), ("bottomTrailing", .bottomTrailing), ("leading", .leading), ("trailing", .trailing),
        ]
    }
}

extension Axis: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("horizontal", .horizontal), ("vertical", .vertical)] }
}

extension ListLayout.Appearance: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("plain", .plain), ("grouped", .grouped), ("insetGrouped", .insetGrouped), ("sidebar", .sidebar),
            ("sidebarPlain", .sidebarPlain),
        ]
    }
}

extension ListLayout.HeaderMode: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [("none", .none), ("supplementary", .supplementary), ("firstItemInSection", .firstItemInSection)]
    }
}

extension ListLayout.FooterMode: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("none", .none), ("supplementary", .supplementary)] }
}

extension LayoutEnvironment.SizeClass: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("compact", .compact), ("regular", .regular)] }
}

extension LayoutEnvironment.LayoutDirection: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("leftToRight", .leftToRight), ("rightToLeft", .rightToLeft)] }
}
