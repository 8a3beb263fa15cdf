package import JSON
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

/// What an item says in one locale.
package struct ItemText: Sendable, Equatable {
    package let title: String
    package let subtitle: String?
    /// What the image shows.
    package let imageAlt: String?
}

/// A picture, and what stands in its place until it is loaded.
package struct ItemImage: Sendable, Equatable {
    /// Nil for the artwork that is made of the item's id.
    package let url: String?
    package let width: Int
    package let height: Int
    /// `#RRGGBB`.
    package let color: String
    package let blurhash: String
}

/// What something of an item costs in a storefront.
package struct ItemPrice: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable, JSONDecodable {
        case price, minimumOrder, deliveryFee
    }

    package let storefront: String
    package let role: Role
    package let amount: Money
}

/// An amount in the smallest unit of its currency.
package struct Money: Sendable, Equatable, JSONEncodable {
    package let amountMinor: Int
    package let currency: String

    package init(amountMinor: Int, currency: String) {
        self.amountMinor = amountMinor
        self.currency = currency
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("amountMinor", amountMinor)
            $0.member("currency", currency)
        }
    }
}

/// What an item is, as documents and the database name it.
package enum ItemKind: String, Sendable, Hashable, CaseIterable, JSONDecodable, JSONEncodable {
    case topApp, foodApp
}
