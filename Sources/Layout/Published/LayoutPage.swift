/// What a page says about layouts: the table, and how its sections use it. The rest of the page is for others.
package struct LayoutPage: Sendable, Hashable {
    package struct Section: Sendable, Hashable {
        package var id: String
        /// Nil where the page names none that could be an id.
        package var arrangement: Arrangement?
        /// The cell style of each slot.
        package var cells: [String: String]

        package init(id: String, arrangement: Arrangement?, cells: [String: String] = [:]) {
            self.id = id
            self.arrangement = arrangement
            self.cells = cells
        }
    }

    package var configuration = PageConfiguration()
    package var layouts = LayoutTable()
    package var sections: [Section] = []
}
