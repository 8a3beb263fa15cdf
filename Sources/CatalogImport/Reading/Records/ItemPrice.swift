internal import Items
internal import JSON

/// An amount in one storefront, in the smallest unit of its currency.
package struct ItemPrice: Sendable, Equatable {
    package enum Role: String, Sendable {
        case deliveryFee, minimumOrder, price

        /// The member of a record that has it.
        var member: String { self == .price ? "prices" : rawValue }
    }

    package let storefront: String
    package let role: Role
    package let amountMinor: Int64
    package let currency: String

    func precedes(_ other: ItemPrice) -> Bool {
        storefront == other.storefront
            ? role.rawValue < other.role.rawValue : storefront.utf8.lexicographicallyPrecedes(other.storefront.utf8)
    }
}

extension JSONObjectReader {
    mutating func prices(_ key: String, _ role: ItemPrice.Role) -> [ItemPrice] {
        let list = optional(key, as: ItemPrices.self)?.list ?? []
        return list.map { ItemPrice(storefront: $0.storefront, role: role, amountMinor: $0.1.amountMinor, currency: $0.1.currency) }
    }
}

extension JSONWriter {
    mutating func member(_ key: String, _ prices: [ItemPrice], _ role: ItemPrice.Role) {
        guard prices.contains(where: { $0.role == role }) else { return }
        member(key) {
            for price in prices where price.role == role {
                $0.member(price.storefront) {
                    $0.member("amountMinor", price.amountMinor)
                    $0.member("currency", price.currency)
                }
            }
        }
    }
}

private struct ItemPrices: JSONDecodable {
    struct Money: JSONDecodable {
        let amountMinor: Int64
        let currency: String

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let amountMinor = object.required("amountMinor", as: Int64.self, .in(0...1_000_000_000_000))
            let currency = object.required("currency", as: String.self, .currency)
            try object.finish()
            self.amountMinor = try amountMinor()
            self.currency = try currency()
        }
    }

    let list: [(storefront: String, Money)]

    init(from json: JSONReader) throws(JSONReadError) { list = try json.byStorefront() }
}

extension JSONReader {
    /// The members of an object whose keys are storefronts.
    func byStorefront<Value: JSONDecodable>() throws(JSONReadError) -> [(storefront: String, Value)] {
        var list: [(storefront: String, Value)] = []
        var refusal: JSONReadError?
        for value in try values() {
            do throws(JSONReadError) {
                let key = value.key
                guard IdentifierFormat.storefront.fits(key) else {
                    throw value.refuse(.badForm, "expected a storefront such as us as the key")
                }
                list.append((key, try value.decode()))
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return list
    }
}
