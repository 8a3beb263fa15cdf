package import Items
package import Values

/// What rules know of an item in one storefront.
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
