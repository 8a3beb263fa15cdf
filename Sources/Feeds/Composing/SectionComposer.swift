package import Items
package import Values

package struct SectionComposer: Sendable {
    private let section: FeedSection
    private let supply: SectionInputs
    /// What of that is there which stood in it before, by the same words of the same curator; nil where that is not so.
    private let previous: ComposedSection?
    private let context: RuleContext

    package init(_ section: FeedSection, _ supply: SectionInputs, replacing previous: ComposedSection?, _ context: RuleContext) {
        self.section = section
        self.supply = supply
        self.previous = previous?.keeping(supply.known)
        self.context = context
    }

    /// The section as its pins and its rule make it. Where the rule finds too little, it stays what it was, without what is gone.
    package func composed() -> ComposedSection {
        var result = ComposedSection()
        let locales = supply.candidates.isEmpty ? [nil] : Array(supply.candidates.keys)
        for locale in locales {
            let candidates = supply.candidates[locale] ?? []
            let filling = filling(of: candidates.map(\.facts.id))
            var list = filling.items
            let left = previous?.lists[locale] ?? []
            if let reason = reasonToKeep(list.count, where: left.count) {
                list = left
                result.kept = reason
            }
            result.lists[locale] = list
            place(list, of: candidates, in: locale, &result)
        }
        addBadges(to: &result)
        return result
    }

    package func filling(of candidates: [UUID]) -> FilledSlots {
        FilledSlots(
            pins: supply.pins(of: section), candidates: candidates, excluded: Set(section.exclusions.compactMap { supply.references[$0] }),
            limit: section.limit)
    }

    /// What is gone by itself is no drop; so the answer stays the same when it is asked again.
    private func reasonToKeep(_ found: Int, where left: Int) -> ComposedSection.RetentionReason? {
        if found < section.minItems { return .tooFew(found: found, minimum: section.minItems) }
        guard let largest = section.maxDrop, found < left, !largest.allows(from: left, to: found) else { return nil }
        return .tooLargeDrop(found: found, before: left)
    }

    private func place(
        _ list: [UUID], of candidates: [Candidate], in locale: LocaleTag?, _ result: inout ComposedSection
    ) {
        let found = Dictionary(candidates.map { ($0.facts.id, $0) }, uniquingKeysWith: { first, _ in first })
        for item in list {
            guard let facts = found[item]?.facts ?? supply.known[item] else { continue }
            var placement = result.placements[item] ?? ComposedSection.Placement(serialNumber: facts.serialNumber)
            if let locale, section.grouping == .initial {
                placement.initials[locale] = found[item]?.letter ?? supply.initials[locale]?[item] ?? IndexAlphabet.rest
            }
            result.placements[item] = placement
        }
    }

    private func addBadges(to result: inout ComposedSection) {
        let facts = supply.candidates.values.joined().reduce(into: supply.known) { $0[$1.facts.id] = $1.facts }
        for rule in section.badges {
            switch rule.bearers {
            case .items(let references):
                for reference in references {
                    if let item = supply.references[reference] { result.placements[item]?.add(rule.badge) }
                }
            case .rule(let condition):
                guard let form = context.normalForm(of: condition) else { continue }
                for item in result.placements.keys where facts[item].map(form.matches) == true {
                    result.placements[item]?.add(rule.badge)
                }
            }
        }
    }
}

extension ComposedSection.Placement {
    /// Once, by however many rules.
    fileprivate mutating func add(_ badge: String) {
        if !badges.contains(badge) { badges.append(badge) }
    }
}

package struct FilledSlots: Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case pin
        /// By its place among what the rule found.
        case rule(place: Int)
    }

    package struct Slot: Sendable, Equatable {
        package let item: UUID
        package let reason: Reason
    }

    package private(set) var slots: [Slot] = []

    /// Pins have their slots and candidates the others, in their order, each item once. Where candidates run out before a pin, it moves up,
    /// so that there are no gaps.
    package init(pins: [Int: UUID], candidates: [UUID], excluded: Set<UUID> = [], limit: Int) {
        var taken = excluded.union(pins.values)
        var next = candidates.enumerated().lazy.filter { taken.insert($0.element).inserted }.makeIterator()
        var waiting = pins.filter { $0.key < limit }.sorted { $0.key < $1.key }[...]
        while slots.count < limit {
            if let pin = waiting.first, pin.key <= slots.count {
                waiting.removeFirst()
                slots.append(Slot(item: pin.value, reason: .pin))
            } else if let (place, item) = next.next() {
                slots.append(Slot(item: item, reason: .rule(place: place)))
            } else if let pin = waiting.popFirst() {
                slots.append(Slot(item: pin.value, reason: .pin))
            } else {
                return
            }
        }
    }

    package var items: [UUID] { slots.map(\.item) }
}

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
