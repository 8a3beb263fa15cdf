package import Items
internal import JSON
package import Values

/// Conditions that an item must meet together. Without any, every item matches.
package struct RuleAlternative: Sendable, Hashable {
    package static let anyRating = 0..<501
    static let anyCount = 0..<Int.max
    /// All days since 1970. The catalog has days until 2199.
    static let anyDay = -1_000_000..<1_000_000

    /// All discounts, and no sale.
    static let anyDiscount = -1..<101

    package var kinds = Set(ItemKind.allCases)
    /// The facets that an item must all have.
    package var facets: Set<String> = []
    /// The facets that an item must not have.
    package var otherFacets: Set<String> = []
    /// The rating, in hundredths.
    package var rating = anyRating
    var ratingCount = anyCount
    package var releaseDay = anyDay
    /// The price, in the smallest unit of the storefront's currency.
    var price = anyCount
    /// The discount in percent. An item that is not on sale has -1.
    var discount = anyDiscount
    /// The conditions on measures, by the name of the measure.
    var measures: [String: MeasureRange] = [:]
    /// The items that can match, or nil if any item can.
    package var items: Set<UUID>?
    /// The items that cannot match.
    var otherItems: Set<UUID> = []

    /// Returns the conjunction, or nil if no item can meet both.
    func and(_ other: RuleAlternative) -> RuleAlternative? {
        var both = self
        both.kinds.formIntersection(other.kinds)
        both.facets.formUnion(other.facets)
        both.otherFacets.formUnion(other.otherFacets)
        both.rating = rating.clamped(to: other.rating)
        both.ratingCount = ratingCount.clamped(to: other.ratingCount)
        both.releaseDay = releaseDay.clamped(to: other.releaseDay)
        both.price = price.clamped(to: other.price)
        both.discount = discount.clamped(to: other.discount)
        both.measures.merge(other.measures) { $0.and($1) }
        both.items = items.map { items in other.items.map(items.intersection) ?? items } ?? other.items
        both.otherItems.formUnion(other.otherItems)
        return both.isPossible ? both : nil
    }

    var isPossible: Bool {
        !kinds.isEmpty && facets.isDisjoint(with: otherFacets) && !rating.isEmpty && !ratingCount.isEmpty && !releaseDay.isEmpty
            && !price.isEmpty && !discount.isEmpty && !measures.values.contains(where: \.isEmpty)
            && items?.isSubset(of: otherItems) != true
    }

    /// Whether every item that meets these conditions also meets the others.
    func implies(_ other: RuleAlternative) -> Bool {
        kinds.isSubset(of: other.kinds) && facets.isSuperset(of: other.facets) && otherFacets.isSuperset(of: other.otherFacets)
            && other.rating.contains(rating) && other.ratingCount.contains(ratingCount) && other.releaseDay.contains(releaseDay)
            && other.price.contains(price) && other.discount.contains(discount)
            && other.measures.allSatisfy { (measures[$0.key] ?? MeasureRange()).implies($0.value) }
            && otherItems.isSuperset(of: other.otherItems)
            && (other.items.map { items?.isSubset(of: $0) ?? false } ?? true)
    }

    func admits(_ item: ItemFacts) -> Bool {
        kinds.contains(item.kind) && facets.isSubset(of: item.facets) && otherFacets.isDisjoint(with: item.facets)
            && rating.contains(item.ratingAverage) && ratingCount.contains(item.ratingCount)
            && releaseDay.contains(item.releasedOn.daysSince1970) && price.contains(item.priceMinor ?? 0)
            && discount.contains(item.discount) && measures.allSatisfy { $0.value.contains(item.measures[$0.key]) }
            && items?.contains(item.id) != false && !otherItems.contains(item.id)
    }
}

/// Encodes the conditions in the form that the queries of rules expand.
extension RuleAlternative: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("kinds", kinds.map(\.rawValue).sorted())
        json.member("facets", facets.sorted())
        json.member("other_facets", otherFacets.sorted())
        json.member("rating", rating.text)
        json.member("rating_count", ratingCount.text)
        json.member("release_day", releaseDay.text)
        if price != Self.anyCount { json.member("price", price.text) }
        if discount != Self.anyDiscount { json.member("discount", discount.text) }
        json.member("measures", measures.path)
        json.member("items", items.map { $0.sorted().map(\.description) })
        json.member("other_items", otherItems.sorted().map(\.description))
    }
}

extension Range<Int> {
    /// The range as a PostgreSQL literal.
    fileprivate var text: String { "[\(lowerBound),\(upperBound))" }
}
