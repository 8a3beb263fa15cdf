package import Items
internal import Resolve
package import Values

/// Composes the items of a shelf or of a list.
package struct ItemComposer: Sendable {
    private let selection: ItemSelection
    private let inputs: SelectionInputs
    /// The available previous items, or nil if the document selected others.
    private let previous: ComposedItems?
    private let context: RuleContext
    /// The reason for which the shelf of a list is retained.
    private let reasonOfShelf: ComposedItems.RetentionReason?

    /// Creates a composer. `shelf` is the composed shelf, if the items are those of its list.
    package init(
        _ selection: ItemSelection, _ inputs: SelectionInputs, replacing previous: ComposedItems?, of shelf: ComposedItems? = nil,
        _ context: RuleContext
    ) {
        self.selection = selection
        self.inputs = inputs
        self.previous = previous?.keeping(inputs.known)
        self.context = context
        reasonOfShelf = selection.followsShelf && self.previous?.isEmpty == false ? shelf?.retained : nil
    }

    /// Returns the pins and the items of the rule. If the rule finds too few, the result is the previous items without the
    /// unavailable ones.
    package func composed() -> ComposedItems {
        var result = ComposedItems()
        let locales = inputs.candidates.isEmpty ? [nil] : Array(inputs.candidates.keys)
        for locale in locales {
            let candidates = inputs.candidates[locale] ?? []
            var order = filling(of: candidates.map(\.facts.id)).items
            let left = previous?.orders[locale] ?? []
            if let reason = reasonOfShelf ?? reasonToKeep(order.count, where: left.count) {
                order = Array(left.prefix(selection.size))
                result.retained = reason
            }
            result.orders[locale] = order
            place(order, of: candidates, in: locale, &result)
        }
        addBadges(to: &result)
        return result
    }

    package func filling(of candidates: [UUID]) -> FilledSlots {
        FilledSlots(
            pins: inputs.pins(of: selection), candidates: candidates,
            excluded: Set(selection.exclusions.compactMap { inputs.references[$0] }), limit: selection.size)
    }

    /// Returns the reason to retain the previous items. Items that became unavailable do not count as a drop, so the
    /// result stays the same on the next run.
    private func reasonToKeep(_ found: Int, where left: Int) -> ComposedItems.RetentionReason? {
        if found < selection.minItems { return .tooFew(found: found, minimum: selection.minItems) }
        let before = min(left, selection.size)
        guard let largest = selection.maxDrop, found < before, !largest.allows(from: before, to: found) else { return nil }
        return .tooLargeDrop(found: found, before: before)
    }

    private func place(
        _ order: [UUID], of candidates: [Candidate], in locale: LocaleTag?, _ result: inout ComposedItems
    ) {
        let found = Dictionary(candidates.map { ($0.facts.id, $0) }, uniquingKeysWith: { first, _ in first })
        for item in order {
            guard let facts = found[item]?.facts ?? inputs.known[item] else { continue }
            var placement = result.placements[item] ?? ComposedItems.Placement(serialNumber: facts.serialNumber)
            if let locale, selection.grouping == .initial {
                placement.initials[locale] = found[item]?.letter ?? inputs.initials[locale]?[item] ?? IndexAlphabet.rest
            }
            result.placements[item] = placement
        }
    }

    private func addBadges(to result: inout ComposedItems) {
        let facts = inputs.candidates.values.joined().reduce(into: inputs.known) { $0[$1.facts.id] = $1.facts }
        for rule in selection.badges {
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

extension ComposedItems.Placement {
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

package struct SelectionInputs: Sendable {
    /// The items that the rule found, in their order. There is one order for each locale if they are sorted by title, or
    /// else one order under nil.
    package var candidates: [LocaleTag?: [Candidate]]
    /// The available items among the pinned and previous items.
    package var known: [UUID: ItemFacts]
    /// The headings of the known items by their titles, in each locale, if the items are grouped.
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

    /// Returns the available pins by slot. If an item is pinned under two names, the first one counts.
    package func pins(of selection: ItemSelection) -> [Int: UUID] {
        var pinned: Set<UUID> = []
        var pins: [Int: UUID] = [:]
        let excluded = selection.startsWithPins ? Set(selection.exclusions.compactMap { references[$0] }) : []
        for pin in selection.pins.sorted(by: { $0.slot < $1.slot }) {
            guard let item = references[pin.item], known[item] != nil, !excluded.contains(item), pinned.insert(item).inserted else {
                continue
            }
            pins[selection.startsWithPins ? pins.count : pin.slot] = item
        }
        return pins
    }
}
