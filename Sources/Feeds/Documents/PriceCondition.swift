/// What an item may cost in the storefront that shows it.
package enum PriceCondition: Sendable, Hashable {
    static let mostMinor = 1_000_000_000_000

    case free
    case paid
    /// A food app of one of these price bands, from 1 to 4.
    case bands([Int])
    /// By currency in its smallest unit; an item with a price in another currency is none of them.
    case atMost([String: Int])
}
