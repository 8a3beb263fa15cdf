/// The part of a page that describes layouts: the table, and its use by the sections.
package struct LayoutPage: Sendable, Hashable {
    package struct Section: Sendable, Hashable {
        package var id: String
        /// The layouts of the section, or nil if the page names no valid layout ID.
        package var arrangement: Arrangement?
        package var cells: CellStyles?

        package init(id: String, arrangement: Arrangement?, cells: CellStyles? = nil) {
            self.id = id
            self.arrangement = arrangement
            self.cells = cells
        }
    }

    package var configuration = PageConfiguration()
    package var layouts = LayoutTable()
    package var sections: [Section] = []
}
