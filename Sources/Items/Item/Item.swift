package import Values

/// What a feed shows: an app of the store, or an app to order food from.
///
/// `id` says which item it is and `version` what its content is: with the same id and another version, a list shows the same item anew in
/// its place; with another id it is another item.
///
/// The version is the one under which it was published.
package struct Item: Sendable, Identifiable, Equatable {
    package let id: UUID
    package let version: Int
    package let serialNumber: Int
    package let slug: String
    /// Never empty.
    package let texts: [LocaleTag: ItemText]
    /// Nil for the artwork that is made of the id.
    package let image: ItemImage?
    /// Never empty; the first is the main one.
    package let categories: [String]
    package let rating: Rating?
    package let availability: Availability
    package let prices: [ItemPrice]
    package let detail: Detail

    /// Apart from the item, which is handed on by many.
    package indirect enum Detail: Sendable, Equatable {
        case topApp(TopApp)
        case foodApp(FoodApp)
    }

    package struct Rating: Sendable, Equatable {
        /// From 0 to 5.
        package let average: Double
        package let count: Int
    }

    package var kind: ItemKind {
        switch detail {
        case .topApp: .topApp
        case .foodApp: .foodApp
        }
    }
}
