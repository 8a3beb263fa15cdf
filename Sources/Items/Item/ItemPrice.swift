internal import JSON

/// What something of an item costs in a storefront.
package struct ItemPrice: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable, JSONDecodable {
        case price, minimumOrder, deliveryFee
    }

    package let storefront: String
    package let role: Role
    package let amount: Money
}
