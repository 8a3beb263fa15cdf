package import Items

package struct ItemFilter: Sendable, Equatable {
    package enum Price: String, Sendable, CaseIterable {
        case free, paid
    }

    /// The kind. Default: all kinds.
    package var kind: ItemKind?
    package var category: String?
    package var cuisine: String?
    package var dietaryTag: String?
    /// The platform of the client, which can run the items.
    package var platform: String?
    /// The price band, from 1 to 4.
    package var priceBand: Int?
    package var price: Price?
    /// The minimum rating, in hundredths.
    package var minimumRating = 0

    package init() {}

    var kinds: [String] {
        // The price of a FoodApp order is not known in advance.
        let kind = kind ?? (price == nil ? nil : .topApp)
        return kind.map { [$0.rawValue] } ?? ItemKind.allCases.map(\.rawValue)
    }

    func facets(in storefront: Storefront) -> [String] {
        [
            category.map { "category:\($0)" }, cuisine.map { "cuisine:\($0)" }, dietaryTag.map { "diet:\($0)" },
            platform.map { "on:\($0)" }, priceBand.map { "priceBand:\($0)" },
            price == .paid || price == .free && kind == .foodApp ? "paid:\(storefront.key)" : nil,
        ].compactMap(\.self)
    }

    func otherFacets(in storefront: Storefront) -> [String] { price == .free ? ["paid:\(storefront.key)"] : [] }

    /// The minimum rating as a decimal for the database, such as `4.50`.
    var rating: String {
        let (whole, rest) = minimumRating.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
