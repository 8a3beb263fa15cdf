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

    /// Expands all layouts. The curator's variants, each with the variants of its own form, precede those of the form,
    /// and the curator's alternates replace those of the form.
    package func expanded(at sectionIndex: Int) -> Expansion {
        var expansion = form.expanded(at: sectionIndex)
        expansion.variants = variants.flatMap { $0.expanded(at: sectionIndex).map(\.variant) } + expansion.variants
        guard !alternates.isEmpty else { return expansion }
        expansion.active = alternates.first { $0.form == nil }?.name
        expansion.alternates = alternates.compactMap { alternate in
            guard let (layout, omitted) = alternate.form?.expandedForAlternate(at: sectionIndex) else { return nil }
            return .init(name: alternate.name, layout: layout, cells: alternate.cells, omitted: omitted)
        }
        return expansion
    }
}

extension LayoutChoice.Variant {
    /// Expands the layouts of the form, each under its own condition and that of the variant, with their paths in the
    /// expanded form.
    fileprivate func expanded(at sectionIndex: Int) -> [(variant: Expansion.Variant, path: [String])] {
        let expansion = form.expanded(at: sectionIndex)
        var expanded: [(variant: Expansion.Variant, path: [String])] = []
        for (index, variant) in expansion.variants.enumerated() {
            guard let both = condition.joined(with: variant.condition) else { continue }
            expanded.append((.init(condition: both, layout: variant.layout, cells: cells), ["variants", String(index), "layout"]))
            // The layouts that follow are never shown.
            if both == condition { return expanded }
        }
        expanded.append((.init(condition: condition, layout: expansion.layout, cells: cells), []))
        return expanded
    }
}

extension LayoutChoice {
    /// Returns the path, below the object with the choice, of the form from which a part of the expansion comes, and the
    /// path of the part in the expanded form.
    package func location(of path: [String], at sectionIndex: Int) -> (form: [String], part: [String]) {
        guard path.count > 1 else { return (["layout"], path) }
        if path[0] == "alternates", !alternates.isEmpty { return (Array(path.prefix(2)) + ["layout"], Array(path.dropFirst(3))) }
        guard path[0] == "variants", var index = Int(path[1]) else { return (["layout"], path) }
        for (position, variant) in variants.enumerated() {
            let expanded = variant.expanded(at: sectionIndex)
            if index < expanded.count { return (["variants", String(position), "layout"], expanded[index].path + path.dropFirst(3)) }
            index -= expanded.count
        }
        return (["layout"], ["variants", String(index)] + path.dropFirst(2))
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
        /// The conditions under which the form has another layout, which an alternate cannot have.
        var omitted: [Condition] = []
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
}
