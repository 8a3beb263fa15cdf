/// A list of rows, as in the settings of a device.
package struct ListLayout: Sendable, Hashable {
    package enum Appearance: String, CaseIterable, Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }
    package enum HeaderMode: String, CaseIterable, Sendable { case none, supplementary, firstItemInSection }
    package enum FooterMode: String, CaseIterable, Sendable { case none, supplementary }

    /// The lines between rows.
    package struct Separators: Sendable, Hashable {
        package enum Visibility: String, CaseIterable, Sendable { case automatic, visible, hidden }

        package var visibility: Visibility = .automatic
        /// The color. nil uses the client's default.
        package var color: LayoutColor?
        package var insets: Insets = .zero

        package static let standard = Separators()
    }

    package var appearance: Appearance
    package var showsSeparators: Bool
    package var headerMode: HeaderMode
    package var footerMode: FooterMode
    /// The padding above a header. nil uses the system's default.
    package var headerTopPadding: Magnitude?
    package var rowHeight: Dimension
    package var leadingSwipeActions: [Name]
    package var trailingSwipeActions: [Name]
    package var separators: Separators
    /// The colors of the area under the rows and of the rows. nil uses the client's default.
    package var background: LayoutColor?
    package var rowBackground: LayoutColor?

    package init(
        appearance: Appearance = .plain, showsSeparators: Bool = true, headerMode: HeaderMode = .none, footerMode: FooterMode = .none,
        headerTopPadding: Magnitude? = nil, rowHeight: Dimension = .estimated(44), leadingSwipeActions: [Name] = [],
        trailingSwipeActions: [Name] = [], separators: Separators = .standard, background: LayoutColor? = nil,
        rowBackground: LayoutColor? = nil
    ) {
        self.appearance = appearance
        self.showsSeparators = showsSeparators
        self.headerMode = headerMode
        self.footerMode = footerMode
        self.headerTopPadding = headerTopPadding
        self.rowHeight = rowHeight
        self.leadingSwipeActions = leadingSwipeActions
        self.trailingSwipeActions = trailingSwipeActions
        self.separators = separators
        self.background = background
        self.rowBackground = rowBackground
    }
}
