/// The layouts of a section: the default, the variants for other screens, and the alternates that the user may choose.
package struct Arrangement: Sendable, Hashable {
    package struct Variant: Sendable, Hashable {
        package let condition: Condition
        package let layout: LayoutID
        /// The cells of the layout, or nil if it has those of the section.
        package let cells: CellStyles?

        package init(when condition: Condition, _ layout: LayoutID, _ cells: CellStyles? = nil) {
            self.condition = condition
            self.layout = layout
            self.cells = cells
        }
    }

    package struct Alternate: Sendable, Hashable {
        package let name: Name
        package let layout: LayoutID
        /// The cells of the layout, or nil if it has those of the section.
        package let cells: CellStyles?

        package init(_ name: Name, _ layout: LayoutID, _ cells: CellStyles? = nil) {
            self.name = name
            self.layout = layout
            self.cells = cells
        }
    }

    package var layout: LayoutID
    package var variants: [Variant]
    package var alternates: [Alternate]
    /// The alternate that is shown until the user chooses another.
    package var active: Name?

    package init(layout: LayoutID, variants: [Variant] = [], alternates: [Alternate] = [], active: Name? = nil) {
        self.layout = layout
        self.variants = variants
        self.alternates = alternates
        self.active = active
    }

    /// All referenced layouts, without their fallbacks.
    package var layouts: [LayoutID] { [layout] + variants.map(\.layout) + alternates.map(\.layout) }

    /// Returns the layout for a screen, or the alternate that the user chose. The first variant whose condition holds
    /// wins.
    package func layout(in environment: LayoutEnvironment, chosen: Name? = nil) -> LayoutID {
        choice(in: environment, chosen: chosen).layout
    }

    /// Returns the cells of the layout that `layout(in:chosen:)` returns, or nil if it has those of the section.
    package func cells(in environment: LayoutEnvironment, chosen: Name? = nil) -> CellStyles? {
        choice(in: environment, chosen: chosen).cells
    }

    private func choice(in environment: LayoutEnvironment, chosen: Name?) -> (layout: LayoutID, cells: CellStyles?) {
        if let chosen, chosen != active, let alternate = alternates.first(where: { $0.name == chosen }) {
            return (alternate.layout, alternate.cells)
        }
        guard let variant = variants.first(where: { $0.condition.holds(in: environment) }) else { return (layout, nil) }
        return (variant.layout, variant.cells)
    }
}
