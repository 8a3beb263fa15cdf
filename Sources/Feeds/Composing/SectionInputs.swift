package import Items
package import Values

/// What there is in a storefront, at one moment, to fill a section with.
package struct SectionInputs: Sendable {
    /// What the rule found, in the order of the section: for each locale where that is one of titles, else once, under nil.
    package var candidates: [LocaleTag?: [Candidate]]
    /// Of the items that are pinned, or stood in the section before, those that are in the storefront now.
    package var known: [UUID: ItemFacts]
    /// The headings of the known by their titles, in each locale of a section that has headings.
    package var initials: [LocaleTag: [UUID: String]]
    /// The ids of the items that the document names.
    package var references: [ItemReference: UUID]

    package init(
        candidates: [LocaleTag?: [Candidate]] = [:], known: [UUID: ItemFacts] = [:], initials: [LocaleTag: [UUID: String]] = [:],
        references: [ItemReference: UUID] = [:]
    ) {
        self.candidates = candidates
        self.known = known
        self.initials = initials
        self.references = references
    }

    /// By their slots; of an item that is pinned by two names, the first.
    package func pins(of section: FeedSection) -> [Int: UUID] {
        var pinned: Set<UUID> = []
        var pins: [Int: UUID] = [:]
        for pin in section.pins.sorted(by: { $0.slot < $1.slot }) {
            if let item = references[pin.item], known[item] != nil, pinned.insert(item).inserted { pins[pin.slot] = item }
        }
        return pins
    }
}
