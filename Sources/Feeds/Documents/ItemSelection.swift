package import Items

/// The items of a shelf or of a list: pins, the items that a rule finds, and their order.
package struct ItemSelection: Sendable, Hashable {
    package let pins: [Pin]
    /// Whether the pins are the first items. Otherwise each has its own slot.
    package let startsWithPins: Bool
    package let exclusions: [ItemReference]
    package let rule: Rule?
    package let sort: Sort
    /// The sections above whose items a client does not see here again. The composer selects enough items for each client.
    package let without: [SectionKey]
    /// The maximum number of elements that a client sees.
    package let size: Int
    /// The number of items that the sections of `without` can show, at most `FeedSection.maxItemsAbove`.
    package private(set) var itemsAbove: Int
    /// The minimum number of items to replace the previous ones.
    package let minItems: Int
    package let maxDrop: MaxDrop?
    package let eligibility: FeedSection.Eligibility
    /// Whether the items are those of the shelf and more. They are then retained exactly when the shelf is.
    package let followsShelf: Bool
    package let badges: [BadgeRule]
    package let grouping: FeedSection.Grouping
}

extension ItemSelection {
    /// Whether the selection is the same as another one. The sizes of the sections above do not matter.
    package func isSame(as other: ItemSelection) -> Bool { withoutSizesAbove == other.withoutSizesAbove }

    /// The selection without the sizes of the sections above, which is equal for all selections that are the same.
    package var withoutSizesAbove: ItemSelection {
        var copy = self
        copy.itemsAbove = 0
        return copy
    }
}

extension FeedSection {
    /// The items on the page.
    package var shelf: ItemSelection {
        ItemSelection(
            pins: pins, startsWithPins: false, exclusions: exclusions, rule: ruleOfShelf, sort: sort, without: without, size: size,
            itemsAbove: min(itemsAbove, Self.maxItemsAbove), minItems: minItems, maxDrop: maxDrop, eligibility: eligibility,
            followsShelf: false, badges: badges, grouping: grouping)
    }

    /// The sections above whose items a client does not see here again. The headings of grouped items are the same for all
    /// clients, so there the composer leaves the items out.
    package var without: [SectionKey] { grouping == .none ? rule?.sectionsNotRepeated ?? [] : [] }

    private var ruleOfShelf: Rule? { grouping == .none ? rule?.withoutSectionsNotRepeated : rule }

    /// The items that clients load after the page, or nil if the section has no list. They do not depend on other sections.
    package var list: ItemSelection? {
        guard seeAll != nil || continues else { return nil }
        let own = seeAll?.rule
        let excluded = (seeAll?.exclusions ?? []).filter { !exclusions.contains($0) }
        let isSame =
            own == nil && seeAll?.sort ?? sort == sort && excluded.isEmpty && ruleOfShelf.map(\.sections.isEmpty) ?? true
            && !sort.isRotation
        return ItemSelection(
            pins: own == nil ? pins.compactMap(\.ofList) : [], startsWithPins: true,
            exclusions: exclusions + excluded, rule: own ?? rule.map { $0.withoutSections ?? .everything },
            sort: seeAll?.sort ?? sort.ofList, without: [], size: seeAll?.size ?? Self.maxItems, itemsAbove: 0, minItems: 0, maxDrop: nil,
            eligibility: eligibility, followsShelf: isSame, badges: badges,
            grouping: continues ? grouping : seeAll?.grouping ?? .none
        )
    }
}

/// The shelf or the list of a section. The two are composed and published apart.
package enum SectionPart: Sendable, Hashable {
    case shelf(SectionKey)
    case list(SectionKey)

    package var section: SectionKey {
        switch self {
        case .shelf(let key), .list(let key): key
        }
    }

    package var isShelf: Bool { if case .shelf = self { true } else { false } }
}

extension FeedSection {
    /// The parts of the section, with what each selects. The shelf is the first.
    package var parts: [(part: SectionPart, selection: ItemSelection)] {
        [(.shelf(key), shelf)] + (list.map { [(.list(key), $0)] } ?? [])
    }

    /// Whether the items of a part can be kept from another document: those of the shelf if the section is the same there, and
    /// those of the list if it selects the same items.
    package func keeps(_ part: SectionPart, of document: FeedDocument) -> Bool {
        guard part.section == key, let other = document.sections.first(where: { $0.key == key }) else { return false }
        switch part {
        case .shelf: return other.isSame(as: self)
        case .list: return list != nil && other.list == list
        }
    }

    /// The items that the document names for the section.
    package var references: [ItemReference] { shelf.references + (seeAll?.exclusions ?? []) }
}

extension Pin {
    /// The pin in a list, where an item is shown as itself, or nil if the pin is a card.
    fileprivate var ofList: Pin? { item.map { Pin(slot: slot, content: .item($0, nil), target: target) } }
}

extension Sort {
    /// The sort of the list of a shelf. A rotation shows every item in turn, so its list has all of them.
    var ofList: Sort { isRotation ? .standard : self }

    var isRotation: Bool { if case .rotation = self { true } else { false } }
}

extension Rule {
    /// A rule that every item matches.
    fileprivate static let everything = Rule.any(ItemKind.allCases.map(Rule.kind))

    /// The sections of the outermost conditions that exclude the items of sections, each once.
    var sectionsNotRepeated: [SectionKey] {
        var keys: [SectionKey] = []
        for rule in outermost { if case .not(.inSection(let list)) = rule { keys += list.filter { !keys.contains($0) } } }
        return keys
    }

    /// The rule without the outermost conditions that exclude the items of sections.
    fileprivate var withoutSectionsNotRepeated: Rule {
        let rest = outermost.filter { if case .not(.inSection) = $0 { false } else { true } }
        if rest.count == outermost.count { return self }
        return rest.isEmpty ? .everything : rest.count == 1 ? rest[0] : .all(rest)
    }

    /// The conditions that all have to hold.
    private var outermost: [Rule] { if case .all(let rules) = self { rules } else { [self] } }

    /// The rule without its conditions on other sections, or nil if it has no others.
    fileprivate var withoutSections: Rule? {
        switch self {
        case .inSection: return nil
        case .not(let rule): return rule.withoutSections.map(Rule.not)
        case .all(let rules): return Self.combined(rules, Rule.all)
        case .any(let rules): return Self.combined(rules, Rule.any)
        default: return self
        }
    }

    /// Returns the others of several rules. If only one is left, it stands alone, so that a section which gets a condition on
    /// another section keeps its list.
    private static func combined(_ rules: [Rule], _ combine: ([Rule]) -> Rule) -> Rule? {
        let others = rules.compactMap(\.withoutSections)
        return others.isEmpty ? nil : others.count == 1 && rules.count > 1 ? others[0] : combine(others)
    }
}

// MARK: Dependencies

extension ItemSelection {
    /// The sections above whose items its rule and the rules of its badges need.
    package var sectionsAbove: Set<SectionKey> { rules.reduce(into: []) { $0.formUnion($1.sections) } }

    /// Whether its items change when a day begins.
    package var followsTheDay: Bool { rules.contains(where: \.followsTheDay) }

    package var references: [ItemReference] {
        pins.compactMap(\.item) + exclusions
            + badges.flatMap { badge in
                if case .items(let items) = badge.bearers { items } else { [ItemReference]() }
            }
    }

    /// The rule of the items and the rules of the badges.
    package var rules: [Rule] {
        [rule].compactMap(\.self)
            + badges.compactMap { badge in
                if case .rule(let rule) = badge.bearers { rule } else { nil }
            }
    }
}

extension Rule {
    /// The sections of `inSection`, at any depth of the rule.
    package var sections: Set<SectionKey> {
        switch self {
        case .all(let rules), .any(let rules): rules.reduce(into: []) { $0.formUnion($1.sections) }
        case .not(let rule): rule.sections
        case .inSection(let keys): Set(keys)
        default: []
        }
    }

    /// Whether the rule has a condition on the price or the discount of an item, at any depth.
    package var dependsOnPrices: Bool {
        switch self {
        case .all(let rules), .any(let rules): rules.contains(where: \.dependsOnPrices)
        case .not(let rule): rule.dependsOnPrices
        case .price(.bands): false
        case .price, .discounted: true
        default: false
        }
    }

    /// Whether the rule has a condition on the age rating of an item, at any depth.
    package var dependsOnAgeRatings: Bool {
        switch self {
        case .all(let rules), .any(let rules): rules.contains(where: \.dependsOnAgeRatings)
        case .not(let rule): rule.dependsOnAgeRatings
        case .ageRating: true
        default: false
        }
    }

    fileprivate var followsTheDay: Bool {
        switch self {
        case .all(let rules), .any(let rules): rules.contains(where: \.followsTheDay)
        case .not(let rule): rule.followsTheDay
        case .releasedWithin: true
        default: false
        }
    }
}

extension FeedDocument {
    /// Returns sections together with all sections above on whose items these depend.
    package func required(for keys: Set<SectionKey>) -> Set<SectionKey> {
        var required = keys
        for section in sections.reversed() where required.contains(section.key) {
            required.formUnion(section.without)
            for (_, selection) in section.parts { required.formUnion(sectionsAbove(selection)) }
        }
        return required
    }

    /// The sections on whose items a selection depends: those that its rules name, and those whose items these leave out.
    package func sectionsAbove(_ selection: ItemSelection) -> Set<SectionKey> {
        var above = selection.sectionsAbove
        for section in sections.reversed() where above.contains(section.key) { above.formUnion(section.without) }
        return above
    }
}
