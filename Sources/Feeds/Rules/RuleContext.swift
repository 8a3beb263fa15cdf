package import Items
package import Values

package struct RuleContext: Sendable {
    package var storefront: Storefront
    /// In the storefront's time zone.
    package var today: CalendarDay
    /// What the sections above show; one that is missing shows nothing.
    package var itemsOfSections: [SectionKey: Set<UUID>]

    package init(storefront: Storefront, today: CalendarDay, itemsOfSections: [SectionKey: Set<UUID>] = [:]) {
        self.storefront = storefront
        self.today = today
        self.itemsOfSections = itemsOfSections
    }
}

extension RuleContext {
    /// Nil for a rule that is too large to be asked, which no section is published with.
    package func normalForm(of rule: Rule) -> RuleNormalForm? {
        do throws(RuleTooLarge) { return try RuleNormalForm(rule, in: self) } catch { return nil }
    }
}

package struct Candidate: Sendable, Hashable {
    package var facts: ItemFacts
    /// Of a chart, from 1.
    package var rank: Int?
    /// As the locale shows it, where titles are the order.
    package var title: String?
    /// That the title is grouped under, or `#`.
    package var letter: String?

    package init(facts: ItemFacts, rank: Int? = nil, title: String? = nil, letter: String? = nil) {
        self.facts = facts
        self.rank = rank
        self.title = title
        self.letter = letter
    }
}

package struct ItemFacts: Sendable, Hashable {
    package var id: UUID
    package var kind: ItemKind
    /// As listings have them: `category:travel`, `paid:us`.
    package var facets: Set<String>
    /// In hundredths; 0 where nobody has rated.
    package var ratingAverage: Int
    package var ratingCount: Int
    package var releasedOn: CalendarDay
    package var serialNumber: Int
    /// Nil for an item without a price, which costs nothing.
    package var priceMinor: Int?

    package init(
        id: UUID, kind: ItemKind, facets: Set<String>, ratingAverage: Int, ratingCount: Int, releasedOn: CalendarDay, serialNumber: Int,
        priceMinor: Int?
    ) {
        self.id = id
        self.kind = kind
        self.facets = facets
        self.ratingAverage = ratingAverage
        self.ratingCount = ratingCount
        self.releasedOn = releasedOn
        self.serialNumber = serialNumber
        self.priceMinor = priceMinor
    }
}
