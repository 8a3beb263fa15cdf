package import Items
package import Values

package struct RuleContext: Sendable {
    package var storefront: Storefront
    /// The current day in the storefront's time zone.
    package var today: CalendarDay
    /// The items of the sections above. An absent section has no items.
    package var itemsOfSections: [SectionKey: Set<UUID>]
    /// The folded form in the catalog of each name that is not ASCII.
    package var foldedNames: [String: String] = [:]

    package init(storefront: Storefront, today: CalendarDay, itemsOfSections: [SectionKey: Set<UUID>] = [:]) {
        self.storefront = storefront
        self.today = today
        self.itemsOfSections = itemsOfSections
    }
}

extension RuleContext {
    /// Returns the normal form, or nil if the rule is too large to run. No section is published with such a rule.
    package func normalForm(of rule: Rule) -> RuleNormalForm? {
        do throws(RuleTooLarge) { return try RuleNormalForm(rule, in: self) } catch { return nil }
    }

    func folded(_ name: String) -> String { FoldedName.ascii(name) ?? foldedNames[name] ?? "" }
}

package struct Candidate: Sendable, Hashable {
    package var facts: ItemFacts
    /// The rank on the chart, from 1.
    package var rank: Int?
    /// The title in the locale, if the order is by title.
    package var title: String?
    /// The letter under which the title is grouped, or `#`.
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
    /// The facets that hold at the time: `category:travel`, `paid:us`.
    package var facets: Set<String>
    /// The average rating in hundredths, which is 0 if there are no ratings.
    package var ratingAverage: Int
    package var ratingCount: Int
    package var releasedOn: CalendarDay
    package var serialNumber: Int
    /// The price in the smallest unit, or nil if the item has no price and is therefore free.
    package var priceMinor: Int?
    /// The period whose price is in effect, or nil if the price is the regular one.
    package var pricePeriod: Period?
    package var measures: RuleMeasures

    /// The end of a price, and the former price in a sale.
    package struct Period: Sendable, Hashable {
        package let until: Timestamp
        package let previousMinor: Int?

        package init(until: Timestamp, previousMinor: Int?) {
            self.until = until
            self.previousMinor = previousMinor
        }
    }

    /// The discount of a sale in whole percent, rounded down, or -1 without a sale.
    package var discount: Int {
        guard let priceMinor, let previous = pricePeriod?.previousMinor, previous > priceMinor else { return -1 }
        return (previous - priceMinor) * 100 / previous
    }

    package init(
        id: UUID, kind: ItemKind, facets: Set<String>, ratingAverage: Int, ratingCount: Int, releasedOn: CalendarDay, serialNumber: Int,
        priceMinor: Int?, pricePeriod: Period? = nil, measures: RuleMeasures = RuleMeasures()
    ) {
        self.id = id
        self.kind = kind
        self.facets = facets
        self.ratingAverage = ratingAverage
        self.ratingCount = ratingCount
        self.releasedOn = releasedOn
        self.serialNumber = serialNumber
        self.priceMinor = priceMinor
        self.pricePeriod = pricePeriod
        self.measures = measures
    }
}
