/// The layouts of a section: the default, the variants for other screens, and the alternates that the user may choose.
package struct Arrangement: Sendable, Hashable {
    package struct Variant: Sendable, Hashable {
        package let condition: Condition
        package let layout: LayoutID

        package init(when condition: Condition, _ layout: LayoutID) {
            self.condition = condition
            self.layout = layout
        }
    }

    package struct Alternate: Sendable, Hashable {
        package let name: Name
        package let layout: LayoutID

        package init(_ name: Name, _ layout: LayoutID) {
            self.name = name
            self.layout = layout
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

    /// Returns the layout for a screen, or the alternate that the user chose. The first variant whose condition holds
    /// wins.
    package func layout(in environment: LayoutEnvironment, chosen: Name? = nil) -> LayoutID {
        if let chosen, chosen != active, let alternate = alternates.first(where: { $0.name == chosen }) { return alternate.layout }
        return variants.first { $0.condition.holds(in: environment) }?.layout ?? layout
    }
}
