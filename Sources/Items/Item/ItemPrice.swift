package import JSON
internal import Values

/// One price of an item in a storefront.
package struct ItemPrice: Sendable, Equatable {
    package enum Role: String, Sendable {
        case deliveryFee, minimumOrder, price

        /// The field of a record that contains this price.
        package var member: String { self == .price ? "prices" : rawValue }
    }

    package let storefront: String
    package let role: Role
    package let amount: Money

    func precedes(_ other: ItemPrice) -> Bool {
        storefront == other.storefront
            ? role.rawValue < other.role.rawValue : storefront.utf8.span.precedes(other.storefront.utf8.span)
    }
}

/// An amount in the smallest unit of its currency.
package struct Money: Sendable, Equatable {
    package static let maxMinor = 1_000_000_000_000

    package let amountMinor: Int
    package let currency: String

    package init(amountMinor: Int, currency: String) {
        self.amountMinor = amountMinor
        self.currency = currency
    }
}

extension Money {
    /// The amount in the main unit of its currency, such as `2.99 USD`.
    package var text: String {
        let decimals = Self.decimals(of: currency)
        var digits = String(amountMinor)
        while digits.count <= decimals { digits = "0" + digits }
        return decimals == 0 ? "\(digits) \(currency)" : "\(digits.dropLast(decimals)).\(digits.suffix(decimals)) \(currency)"
    }

    /// Returns the number of decimals of a currency.
    package static func decimals(of currency: String) -> Int { exceptions[currency] ?? 2 }

    /// The decimals of the currencies of ISO 4217 that do not have two.
    private static let exceptions = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0, "VND": 0,
        "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
    ]
}

extension Money: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let amountMinor = object.required("amountMinor", in: 0...Self.maxMinor)
        let currency = object.required("currency", .currency)
        try object.finish()
        self.amountMinor = try amountMinor()
        self.currency = try currency()
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("amountMinor", amountMinor)
            $0.member("currency", currency)
        }
    }
}

extension JSONObjectReader {
    mutating func read(_ role: ItemPrice.Role, into prices: inout [ItemPrice]) {
        guard let list = optional(role.member, as: ByStorefront<Money>.self)?.list else { return }
        prices.reserveCapacity(prices.count + list.count)
        for (storefront, amount) in list { prices.append(ItemPrice(storefront: storefront, role: role, amount: amount)) }
    }
}

extension JSONWriter {
    mutating func member(_ prices: [ItemPrice], _ role: ItemPrice.Role) {
        guard prices.contains(where: { $0.role == role }) else { return }
        member(role.member) {
            for price in prices where price.role == role { $0.member(price.storefront, price.amount) }
        }
    }
}

/// An object whose keys are storefronts.
struct ByStorefront<Value: JSONDecodable>: JSONDecodable {
    let list: [(storefront: String, value: Value)]

    init(from json: JSONReader) throws(JSONReadError) {
        let values = try json.values()
        var list: [(storefront: String, value: Value)] = []
        list.reserveCapacity(values.underestimatedCount)
        var failure: JSONReadError?
        for value in values {
            do throws(JSONReadError) {
                let key = value.key
                guard !json.isStrict || IdentifierFormat.storefront.fits(key) else {
                    throw value.refuse(.invalidFormat, "expected a storefront such as us as the key")
                }
                list.append((key, try value.decode()))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self.list = list
    }
}
