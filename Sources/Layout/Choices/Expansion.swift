/// What a curator chose, written out: the layout with all its parts, and those beside it.
package struct Expansion: Sendable, Hashable {
    package struct Variant: Sendable, Hashable {
        package let condition: Condition
        package let layout: LayoutDescriptor
    }

    package struct Alternate: Sendable, Hashable {
        package let name: Name
        package let layout: LayoutDescriptor
    }

    package var layout: LayoutDescriptor
    package var variants: [Variant]
    package var alternates: [Alternate]
    /// The alternate that is the layout itself.
    package var active: Name?

    init(_ layout: LayoutDescriptor, variants: [Variant] = [], alternates: [Alternate] = [], active: Name? = nil) {
        self.layout = layout
        self.variants = variants
        self.alternates = alternates
        self.active = active
    }

    /// A section, with the family that it looks like.
    init(_ section: LayoutSection) {
        self.init(LayoutDescriptor(section, family: Family(of: section)))
    }

    /// The layout for a screen, before its user chooses another.
    package func layout(in environment: LayoutEnvironment) -> LayoutDescriptor {
        variants.first { $0.condition.holds(in: environment) }?.layout ?? layout
    }

    /// Puts every layout and what it falls back on into a table.
    package func published(into table: inout LayoutTable, hashedBy hash: LayoutHash) -> Arrangement {
        var arrangement = Arrangement(layout: table.publish(layout, hashedBy: hash))
        for variant in variants {
            arrangement.variants.append(.init(when: variant.condition, table.publish(variant.layout, hashedBy: hash)))
        }
        if let active { arrangement.alternates.append(.init(active, arrangement.layout)) }
        for alternate in alternates {
            arrangement.alternates.append(.init(alternate.name, table.publish(alternate.layout, hashedBy: hash)))
        }
        arrangement.active = active
        return arrangement
    }
}
