/// The names of the cells that a client draws: one for each named slot of a layout, and one for all other cells.
package struct CellStyles: Sendable, Hashable {
    /// The style of each cell without a style of its own.
    package let cell: String?
    package let slots: [Name: String]

    /// Returns nil if there is no style.
    package init?(cell: String? = nil, slots: [Name: String] = [:]) {
        guard cell != nil || !slots.isEmpty else { return nil }
        self.cell = cell
        self.slots = slots
    }

    /// The cell style of a named slot, or nil if it has no style.
    package subscript(slot: Name?) -> String? { slot.flatMap { slots[$0] } ?? cell }

    /// Returns the cells of a variant or an alternate. A member that is missing is the section's.
    package static func merged(_ own: CellStyles?, over section: CellStyles) -> CellStyles {
        guard let own else { return section }
        return CellStyles(cell: own.cell ?? section.cell, slots: own.slots.isEmpty ? section.slots : own.slots) ?? section
    }
}
