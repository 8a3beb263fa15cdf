package import Items
internal import Resolve
package import Values

package struct SectionComposer: Sendable {
    private let section: FeedSection
    private let inputs: SectionInputs
    /// The available previous items, or nil if the section has changed in the document.
    private let previous: ComposedSection?
    private let context: RuleContext

    package init(_ section: FeedSection, _ inputs: SectionInputs, replacing previous: ComposedSection?, _ context: RuleContext) {
        self.section = section
        self.inputs = inputs
        self.previous = previous?.keeping(inputs.known)
        self.context = context
    }

    /// Returns the section with its pins and the items of its rule. If the rule finds too few, the section retains its
    /// previous items without the unavailable ones.
    package func composed() -> ComposedSection {
        var result = ComposedSection()
        result.size = section.size
        let locales = inputs.candidates.isEmpty ? [nil] : Array(inputs.candidates.keys)
        for locale in locales {
            let candidates = inputs.candidates[locale] ?? []
            let filling = filling(of: candidates.map(\.facts.id))
            var list = filling.items
            let left = previous?.lists[locale] ?? []
            if let reason = reasonToKeep(list.count, where: left.count) {
                list = left
                result.retained = reason
            }
            result.lists[locale] = list
            place(list, of: candidates, in: locale, &result)
        }
        addBadges(to: &result)
        return result
    }

    package func filling(of candidates: [UUID]) -> FilledSlots {
        FilledSlots(
            pins: inputs.pins(of: section), candidates: candidates, excluded: Set(section.exclusions.compactMap { inputs.references[$0] }),
            limit: section.listSize)
    }

    /// Returns the reason to retain the previous items. Items that became unavailable do not count as a drop, so the
    /// result stays the same on the next run.
    private func reasonToKeep(_ found: Int, where left: Int) -> ComposedSection.RetentionReason? {
        if found < section.minItems { return .tooFew(found: found, minimum: section.minItems) }
        // Only the items on the page count, so that a longer list is not more sensitive than its shelf.
        let (shown, before) = (min(found, section.size), min(left, section.size))
        guard let largest = section.maxDrop, shown < before, !largest.allows(from: before, to: shown) else { return nil }
        return .tooLargeDrop(found: shown, before: before)
    }

    private func place(
        _ list: [UUID], of candidates: [Candidate], in locale: LocaleTag?, _ result: inout ComposedSection
    ) {
        let found = Dictionary(candidates.map { ($0.facts.id, $0) }, uniquingKeysWith: { first, _ in first })
        for item in list {
            guard let facts = found[item]?.facts ?? inputs.known[item] else { continue }
            var placement = result.placements[item] ?? ComposedSection.Placement(serialNumber: facts.serialNumber)
            if let locale, section.grouping == .initial {
                placement.initials[locale] = found[item]?.letter ?? inputs.initials[locale]?[item] ?? IndexAlphabet.rest
            }
            result.placements[item] = placement
        }
    }

    private func addBadges(to result: inout ComposedSection) {
        let facts = inputs.candidates.values.joined().reduce(into: inputs.known) { $0[$1.facts.id] = $1.facts }
        for rule in section.badges {
            switch rule.bearers {
            case .items(let references):
                for reference in references {
                    if let item = inputs.references[reference] { result.placements[item]?.add(rule.badge) }
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
    /// Adds a badge once, even if several rules match.
    fileprivate mutating func add(_ badge: String) {
        if !badges.contains(badge) { badges.append(badge) }
    }
}

package struct FilledSlots: Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case pin
        /// The item was found by the rule, at this position.
        case rule(index: Int)
    }

    package struct Slot: Sendable, Equatable {
        package let item: UUID
        package let reason: Reason
    }

    package let slots: [Slot]

    /// Fills the slots as `arrange` does, each item once.
    package init(pins: [Int: UUID], candidates: [UUID], excluded: Set<UUID> = [], limit: Int) {
        var used = excluded.union(pins.values)
        let found = candidates.enumerated().lazy.filter { used.insert($0.element).inserted }
        slots = arrange(
            pins.filter { $0.key < limit }.sorted { $0.key < $1.key }.map { ($0.key, Slot(item: $0.value, reason: .pin)) },
            between: found.map { Slot(item: $0.element, reason: .rule(index: $0.offset)) }, size: limit)
    }

    package var items: [UUID] { slots.map(\.item) }
}

package struct SectionInputs: Sendable {
    /// The items that the rule found, in the order of the section. There is one list for each locale if the order is by
    /// title, or else one list under nil.
    package var candidates: [LocaleTag?: [Candidate]]
    /// The available items among the pinned and previous items.
    package var known: [UUID: ItemFacts]
    /// The headings of the known items by their titles, in each locale of a section with headings.
    package var initials: [LocaleTag: [UUID: String]]
    /// The IDs of the items that the document names.
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

    /// Returns the pins by slot. If an item is pinned under two names, the first one counts.
    package func pins(of section: FeedSection) -> [Int: UUID] {
        var pinned: Set<UUID> = []
        var pins: [Int: UUID] = [:]
        for pin in section.pins.sorted(by: { $0.slot < $1.slot }) {
            if let item = references[pin.item], known[item] != nil, pinned.insert(item).inserted { pins[pin.slot] = item }
        }
        return pins
    }
}
