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

extension ItemFacts {
    /// The columns in which every query of rules answers; all are NULL in a row that tells of a walk's end.
    typealias Columns = (UUID?, String?, [String]?, Int?, Int?, CalendarDay?, Int?, Int?)

    init?(_ row: Columns) {
        guard let id = row.0, let kind = row.1.flatMap(ItemKind.init(rawValue:)), let facets = row.2, let rating = row.3, let count = row.4,
            let day = row.5, let number = row.6
        else { return nil }
        self.init(
            id: id, kind: kind, facets: Set(facets), ratingAverage: rating, ratingCount: count, releasedOn: day, serialNumber: number,
            priceMinor: row.7)
    }
}
