internal import Items
package import JSON
internal import Values

package enum PriceCondition: Sendable, Hashable {
    static let maxMinor = 1_000_000_000_000

    case free
    case paid
    /// A FoodApp in one of these price bands, from 1 to 4.
    case bands([Int])
    /// The maximum price for each currency, in its smallest unit. An item with a price in another currency does not
    /// match.
    case atMost([String: Int])
}

extension PriceCondition: JSONDecodable, JSONEncodable {
    private enum Key: String, CaseIterable { case band, atMost }

    static let keywords = ["free", "paid"]

    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind != .string else {
            self = try json.choice(among: Self.keywords) == 0 ? .free : .paid
            return
        }
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .band: self = .bands(try value.oneOrMore(4) { band throws(JSONReadError) in try band.decode(as: Int.self, .in(1...4)) })
        case .atMost: self = .atMost(try Self.amounts(value))
        }
    }

    private static func amounts(_ json: JSONReader) throws(JSONReadError) -> [String: Int] {
        var amounts: [String: Int] = [:]
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                guard IdentifierFormat.currency.fits(value.key) else {
                    throw value.refuse(.invalidFormat, "expected \(IdentifierFormat.currency.expected) as the key")
                }
                amounts[value.key] = try value.decode(as: Int.self, .in(0...maxMinor))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard !amounts.isEmpty else { throw json.refuse(.invalidCount, "expected an amount in at least one currency") }
        return amounts
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .free: json.string(Self.keywords[0])
        case .paid: json.string(Self.keywords[1])
        case .bands(let bands): json.object { $0.member(Key.band.rawValue, oneOrMore: bands) }
        case .atMost(let amounts): json.object { $0.member(Key.atMost.rawValue, amounts) }
        }
    }
}
