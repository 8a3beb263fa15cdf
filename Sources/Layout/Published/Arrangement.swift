/// Which layouts a section uses: one, others for other screens, and others that its user may switch to.
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
    /// The alternate that is shown until the user chooses.
    package var active: Name?

    package init(layout: LayoutID, variants: [Variant] = [], alternates: [Alternate] = [], active: Name? = nil) {
        self.layout = layout
        self.variants = variants
        self.alternates = alternates
        self.active = active
    }

    /// The layout for a screen, or the alternate that the user chose: the first variant whose condition holds wins.
    package func layout(in environment: LayoutEnvironment, chosen: Name? = nil) -> LayoutID {
        if let chosen, chosen != active, let alternate = alternates.first(where: { $0.name == chosen }) { return alternate.layout }
        return variants.first { $0.condition.holds(in: environment) }?.layout ?? layout
    }
}
