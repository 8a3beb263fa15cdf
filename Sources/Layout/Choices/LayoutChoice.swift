/// The layouts that a curator chose for one section.
package struct LayoutChoice: Sendable, Hashable {
    struct Variant: Sendable, Hashable {
        let condition: Condition
        let form: LayoutForm
        /// The cells of the layout, or nil if it has those of the section.
        let cells: CellStyles?
    }

    struct Alternate: Sendable, Hashable {
        let name: Name
        /// The layout of the alternate. nil stands for the section's own layout and cells.
        let form: LayoutForm?
        let cells: CellStyles?
    }

    package let form: LayoutForm
    let variants: [Variant]
    let alternates: [Alternate]

    package init(_ form: LayoutForm) {
        self.init(form, variants: [], alternates: [])
    }

    init(_ form: LayoutForm, variants: [Variant], alternates: [Alternate]) {
        self.form = form
        self.variants = variants
        self.alternates = alternates
    }

    /// Expands all layouts. The curator's variants precede those of the form, and the curator's alternates replace
    /// those of the form.
    package func expanded(at sectionIndex: Int) -> Expansion {
        var expansion = form.expanded(at: sectionIndex)
        expansion.variants =
            variants.map { .init(condition: $0.condition, layout: $0.form.expanded(at: sectionIndex).layout, cells: $0.cells) }
            + expansion.variants
        guard !alternates.isEmpty else { return expansion }
        expansion.active = alternates.first { $0.form == nil }?.name
        expansion.alternates = alternates.compactMap { alternate in
            alternate.form.map { .init(name: alternate.name, layout: $0.expanded(at: sectionIndex).layout, cells: alternate.cells) }
        }
        return expansion
    }
}

extension LayoutChoice {
    /// The slots to which a cell style can be assigned, in all layouts, each once and in the order of the cells.
    package var slots: [Name] { expanded(at: 0).slots }
}

extension LayoutForm {
    /// The slots of the form and its own variants and alternates, each once and in the order of the cells.
    var slots: [Name] { expanded(at: 0).slots }
}

extension Expansion {
    fileprivate var slots: [Name] {
        var slots: [Name] = []
        for layout in [layout] + variants.map(\.layout) + alternates.map(\.layout) {
            if case .group(let item) = layout.section.content { item.appendSlots(to: &slots) }
        }
        return slots
    }
}

extension LayoutItem {
    fileprivate func appendSlots(to slots: inout [Name]) {
        switch content {
        case .cell(let slot): if let slot, !slots.contains(slot) { slots.append(slot) }
        case .group(let group): for child in group.subitems { child.appendSlots(to: &slots) }
        case .custom: break
        }
    }
}

package struct PresetChoice: Sendable, Hashable {
    package let preset: Preset
    /// The arguments that differ from the defaults.
    let arguments: [String: Int]

    package init(_ preset: Preset) {
        self.init(preset, arguments: [:])
    }

    init(_ preset: Preset, arguments: [String: Int]) {
        self.preset = preset
        self.arguments = arguments
    }

    package func expanded(at sectionIndex: Int) -> Expansion { preset.expanded(arguments, at: sectionIndex) }
}

/// The expanded form of a curator's choice: the layout with all its parts, its variants and its alternates.
package struct Expansion: Sendable, Hashable {
    package struct Variant: Sendable, Hashable {
        package let condition: Condition
        package var layout: LayoutDescriptor
        /// The cells of the layout, or nil if it has those of the section.
        package var cells: CellStyles?
    }

    package struct Alternate: Sendable, Hashable {
        package let name: Name
        package var layout: LayoutDescriptor
        package var cells: CellStyles?
    }

    package var layout: LayoutDescriptor
    package var variants: [Variant]
    package var alternates: [Alternate]
    /// The name of the alternate that equals the layout.
    package var active: Name?

    init(_ layout: LayoutDescriptor, variants: [Variant] = [], alternates: [Alternate] = [], active: Name? = nil) {
        self.layout = layout
        self.variants = variants
        self.alternates = alternates
        self.active = active
    }

    /// Creates the expansion of a section, with a derived family.
    init(_ section: LayoutSection) {
        self.init(LayoutDescriptor(section, family: Family(of: section)))
    }

    /// Returns the layout for a screen, before the user chooses an alternate.
    package func layout(in environment: LayoutEnvironment) -> LayoutDescriptor {
        variants.first { $0.condition.holds(in: environment) }?.layout ?? layout
    }

    /// Adds all layouts and their fallbacks to a table.
    package func published(into table: inout LayoutTable, hashedBy hash: LayoutHash) -> Arrangement {
        var arrangement = Arrangement(layout: table.publish(layout, hashedBy: hash))
        for variant in variants {
            arrangement.variants.append(
                .init(when: variant.condition, table.publish(variant.layout, hashedBy: hash), variant.cells))
        }
        if let active { arrangement.alternates.append(.init(active, arrangement.layout)) }
        for alternate in alternates {
            arrangement.alternates.append(
                .init(alternate.name, table.publish(alternate.layout, hashedBy: hash), alternate.cells))
        }
        arrangement.active = active
        return arrangement
    }
}
