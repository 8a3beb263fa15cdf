package struct ListLayout: Sendable, Hashable {
    package enum Appearance: String, CaseIterable, Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }
    package enum HeaderMode: String, CaseIterable, Sendable { case none, supplementary, firstItemInSection }
    package enum FooterMode: String, CaseIterable, Sendable { case none, supplementary }

    package var appearance: Appearance
    package var showsSeparators: Bool
    package var headerMode: HeaderMode
    package var footerMode: FooterMode
    /// The padding above a header. nil uses the system's default.
    package var headerTopPadding: Magnitude?
    package var rowHeight: Dimension
    package var leadingSwipeActions: [Name]
    package var trailingSwipeActions: [Name]

    package init(
        appearance: Appearance = .plain, showsSeparators: Bool = true, headerMode: HeaderMode = .none, footerMode: FooterMode = .none,
        headerTopPadding: Magnitude? = nil, rowHeight: Dimension = .estimated(44), leadingSwipeActions: [Name] = [],
        trailingSwipeActions: [Name] = []
    ) {
        self.appearance = appearance
        self.showsSeparators = showsSeparators
        self.headerMode = headerMode
        self.footerMode = footerMode
        self.headerTopPadding = headerTopPadding
        self.rowHeight = rowHeight
        self.leadingSwipeActions = leadingSwipeActions
        self.trailingSwipeActions = trailingSwipeActions
    }
}
