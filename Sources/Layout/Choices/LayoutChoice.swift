/// Everything that a curator says about the layouts of one section.
package struct LayoutChoice: Sendable, Hashable {
    struct Variant: Sendable, Hashable {
        let condition: Condition
        let form: LayoutForm
    }

    struct Alternate: Sendable, Hashable {
        let name: Name
        /// Nil is the section's own layout.
        let form: LayoutForm?
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

    /// Writes everything out; the curator's variants come before those of the form, and alternates take the place of the form's.
    package func expanded(at sectionIndex: Int) -> Expansion {
        var expansion = form.expanded(at: sectionIndex)
        expansion.variants =
            variants.map { .init(condition: $0.condition, layout: $0.form.expanded(at: sectionIndex).layout) } + expansion.variants
        guard !alternates.isEmpty else { return expansion }
        expansion.active = alternates.first { $0.form == nil }?.name
        expansion.alternates = alternates.compactMap { alternate in
            alternate.form.map { .init(name: alternate.name, layout: $0.expanded(at: sectionIndex).layout) }
        }
        return expansion
    }
}
