package import Items
internal import Resolve
package import Values

/// Composes the items of a shelf or of a list.
package struct ItemComposer: Sendable {
    private let selection: ItemSelection
    private let inputs: SelectionInputs
    /// The available previous items that can be retained, or nil if the document selected others.
    private let previous: ComposedItems?
    private let context: RuleContext
    /// The reason for which the shelf of a list is retained.
    private let reasonOfShelf: ComposedItems.RetentionReason?
    /// The facts of the items that the rule found.
    private let found: [UUID: ItemFacts]
    /// The platforms of the items that do not run on all of them, if they decide who sees an item.
    private let platforms: [UUID: Set<String>]

    /// Creates a composer. `shelf` is the composed shelf, if the items are those of its list.
    package init(
        _ selection: ItemSelection, _ inputs: SelectionInputs, replacing previous: ComposedItems?, of shelf: ComposedItems? = nil,
        _ context: RuleContext
    ) {
        self.selection = selection
        self.inputs = inputs
        self.previous = previous.map { Self.lasting($0.keeping(inputs.known), selection, inputs, context) }
        self.context = context
        let follows = selection.followsShelf && self.previous?.isEmpty == false && shelf?.keepsPrevious == true
        reasonOfShelf = follows ? shelf?.retained : nil
        found = inputs.found
        platforms = selection.eligibility == .platform ? Self.platforms(of: selection, inputs, found, self.previous, context) : [:]
    }

    /// Returns the platforms of the items that the section can have. The inputs know the items of other sections too.
    private static func platforms(
        of selection: ItemSelection, _ inputs: SelectionInputs, _ found: [UUID: ItemFacts], _ previous: ComposedItems?,
        _ context: RuleContext
    ) -> [UUID: Set<String>] {
        var platforms = found.compactMapValues(inputs.platforms.platforms)
        let pinned = inputs.pins(of: selection, in: context.storefront.key).compactMap(\.item)
        for item in previous.map({ $0.items.union(pinned) }) ?? Set(pinned) where found[item] == nil {
            platforms[item] = inputs.known[item].flatMap(inputs.platforms.platforms)
        }
        return platforms
    }

    /// Returns the previous items without those that the rule does not match and whose price changes with the clock. A sale ends
    /// like an availability: its item leaves a section on its own.
    private static func lasting(
        _ previous: ComposedItems, _ selection: ItemSelection, _ inputs: SelectionInputs, _ context: RuleContext
    ) -> ComposedItems {
        guard let rule = selection.rule, rule.dependsOnPrices, let form = context.normalForm(of: rule) else { return previous }
        let pinned = Set(inputs.pins(of: selection, in: context.storefront.key).compactMap(\.item))
        let facet = "priceChanges:\(context.storefront.key)"
        return previous.filteringOrders { item in
            guard !pinned.contains(item), let facts = inputs.known[item] else { return true }
            return !facts.facets.contains(facet) || form.matches(facts)
        }
    }

    /// Returns the pins and the items of the rule. If the rule finds too few, the result is the previous items without the
    /// unavailable ones, as long as they are more.
    package func composed() -> ComposedItems {
        let pins = inputs.pins(of: selection, in: context.storefront.key)
        let turns = selection.sort.isRotation && selection.eligibility == .platform
        // In a rotation, each platform has its own order.
        let reach = OrderReach(
            of: selection, below: pins, on: turns ? inputs.platforms.all : inputs.platforms.served, platforms: { platforms[$0] })
        var result = ComposedItems()
        if !selection.startsWithPins { result.pins = pins }
        let pinned = pins.compactMap(\.item)
        let locales = inputs.candidates.isEmpty ? [nil] : Array(inputs.candidates.keys)
        for locale in locales {
            let candidates = inputs.candidates[locale] ?? []
            let order = order(of: candidates, below: pins)
            result.orders[locale] = turns ? Array(order.prefix(reach.anyPlatform)) : reach.items(of: order, platforms: { platforms[$0] })
            var retained = result
            let first = Set(pins.filter { $0.target == nil }.compactMap(\.item))
            let before = (previous?.orders[locale] ?? []).filter { selection.startsWithPins || !first.contains($0) }
            retained.orders[locale] =
                turns ? Array(before.prefix(reach.anyPlatform)) : reach.items(of: before, platforms: { platforms[$0] })
            let counts = (found: count(of: result, in: locale), left: previous == nil ? 0 : count(of: retained, in: locale))
            if let reason = reasonOfShelf ?? reasonToKeep(counts.found, where: counts.left) {
                result.retained = reason
                if reasonOfShelf != nil || counts.left > counts.found {
                    result.orders[locale] = retained.orders[locale]
                    result.keepsPrevious = true
                }
            }
            place((result.orders[locale] ?? []) + pinned, of: candidates, in: locale, &result)
        }
        if turns { addPlatformOrders(below: pins, reach, to: &result) }
        addBadges(to: &result)
        return result
    }

    /// Returns the items of a list, or the candidates of a shelf. The item of a pin that some clients do not see is a
    /// candidate for them.
    private func order(of candidates: [Candidate], below pins: [ComposedItems.Pin]) -> [UUID] {
        var used = Set(selection.exclusions.compactMap { inputs.references[$0] })
        let first = pins.filter { $0.target == nil }.compactMap(\.item)
        used.formUnion(first)
        let found = candidates.lazy.map(\.facts.id).filter { used.insert($0).inserted }
        return (selection.startsWithPins ? first : []) + found
    }

    /// Adds the order of each platform in a rotation, unless all of them are that of the clients without a platform.
    private func addPlatformOrders(below pins: [ComposedItems.Pin], _ reach: OrderReach, to result: inout ComposedItems) {
        let first = Set(pins.filter { $0.target == nil }.compactMap(\.item))
        var orders: [String: [UUID]] = [:]
        for (platform, count) in reach.byPlatform {
            var order = self.order(of: inputs.platformCandidates[platform] ?? [], below: pins)
            if result.keepsPrevious {
                // A platform that was added later has no order yet.
                let before = previous?.platformOrders[platform] ?? previous?.orders[nil] ?? []
                order = before.filter { !first.contains($0) }
            }
            orders[platform] = Array(order.lazy.filter { platforms[$0]?.contains(platform) ?? true }.prefix(count))
        }
        guard orders.values.contains(where: { $0 != result.orders[nil] }) else { return }
        result.platformOrders = orders
        for (platform, order) in orders { place(order, of: inputs.platformCandidates[platform] ?? [], in: nil, &result) }
    }

    /// Pins that only some clients see do not replace the items of a rule.
    private func count(of composed: ComposedItems, in locale: LocaleTag?) -> Int {
        composed.counts(upTo: selection.size, withTargets: selection.rule == nil)[locale] ?? 0
    }

    /// Returns the reason to retain the previous items. Items that became unavailable do not count as a drop, so the
    /// result stays the same on the next run.
    private func reasonToKeep(_ found: Int, where left: Int) -> ComposedItems.RetentionReason? {
        if found < selection.minItems { return .tooFew(found: found, minimum: selection.minItems) }
        guard let largest = selection.maxDrop, found < left, !largest.allows(from: left, to: found) else { return nil }
        return .tooLargeDrop(found: found, before: left)
    }

    private func place(
        _ order: [UUID], of candidates: [Candidate], in locale: LocaleTag?, _ result: inout ComposedItems
    ) {
        let found = Dictionary(candidates.map { ($0.facts.id, $0) }, uniquingKeysWith: { first, _ in first })
        for item in order {
            guard let facts = found[item]?.facts ?? inputs.known[item] else { continue }
            var placement =
                result.placements[item] ?? ComposedItems.Placement(serialNumber: facts.serialNumber, platforms: platforms[item])
            if let locale, selection.grouping == .initial {
                placement.initials[locale] = found[item]?.letter ?? inputs.initials[locale]?[item] ?? IndexAlphabet.rest
            }
            result.placements[item] = placement
        }
    }

    private func addBadges(to result: inout ComposedItems) {
        for rule in selection.badges {
            switch rule.bearers {
            case .items(let references):
                for reference in references {
                    if let item = inputs.references[reference] { result.placements[item]?.add(rule.badge) }
                }
            case .rule(let condition):
                guard let form = context.normalForm(of: condition) else { continue }
                for item in result.placements.keys {
                    guard let facts = found[item] ?? inputs.known[item], form.matches(facts) else { continue }
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

extension Target {
    /// The target for clients of one of its storefronts, or nil if it includes all of them.
    fileprivate var withoutStorefronts: Target? {
        let others = conditions.filter { if case .storefronts = $0 { false } else { true } }
        return others.isEmpty ? nil : Target(others)
    }
}

extension ItemSelection {
    /// Returns the maximum number of items in an order. A client that does not see a pin with a target sees another candidate
    /// instead, so only the other pins reduce the number.
    package func reach(with pins: [ComposedItems.Pin]) -> Int {
        startsWithPins ? size : size - pins.count { $0.target == nil } + itemsAbove
    }
}

package struct SelectionInputs: Sendable {
    /// The items that the rule found, in their order. There is one order for each locale if they are sorted by title, or
    /// else one order under nil.
    package var candidates: [LocaleTag?: [Candidate]]
    /// The items that a rotation shows on each platform, in their order. Empty without a rotation.
    package var platformCandidates: [String: [Candidate]] = [:]
    /// The platforms of clients.
    package var platforms = ClientPlatforms()
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

    /// The facts of the items that the rule found.
    package var found: [UUID: ItemFacts] {
        var facts: [UUID: ItemFacts] = [:]
        for candidate in candidates.values.joined() { facts[candidate.facts.id] = candidate.facts }
        for candidate in platformCandidates.values.joined() { facts[candidate.facts.id] = candidate.facts }
        return facts
    }

    /// Returns the available pins of a storefront in the order of their slots. If an item is pinned under two names, the first
    /// one counts. A list is the same for all clients, so its pins have no target.
    package func pins(of selection: ItemSelection, in storefront: String) -> [ComposedItems.Pin] {
        var pinned = selection.startsWithPins ? Set(selection.exclusions.compactMap { references[$0] }) : []
        return selection.pins.compactMap { pin in
            guard pin.target?.isFor(storefront) ?? true else { return nil }
            let target = selection.startsWithPins ? nil : pin.target?.withoutStorefronts
            switch pin.content {
            case .card(let card): return ComposedItems.Pin(slot: pin.slot, content: .card(card), target: target)
            case .item(let reference, let appearance):
                guard let item = references[reference], known[item] != nil, pinned.insert(item).inserted else { return nil }
                return ComposedItems.Pin(slot: pin.slot, content: .item(item, appearance), target: target)
            }
        }
    }
}
