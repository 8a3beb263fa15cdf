/// The sheet that help is written on.
package struct TerminalPage: Sendable {
    /// Columns, between 40 and 200.
    package let width: Int
    /// Whether headings may be bold.
    package let isColored: Bool

    package init(width: Int = 80, isColored: Bool = false) {
        self.width = min(200, max(40, width))
        self.isColored = isColored
    }
}
