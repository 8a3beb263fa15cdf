package import Items

/// Which items a section is filled with.
package indirect enum Rule: Sendable, Hashable {
    /// Never empty.
    case all([Rule])
    /// Never empty.
    case any([Rule])
    case not(Rule)
    case kind(ItemKind)
    /// In one of them.
    case category([String])
    /// Of one of them.
    case cuisine([String])
    case price(PriceCondition)
    /// So many stars or more, given by so many people or more; an item that nobody has rated has none.
    case rating(atLeast: Double, count: Int)
    /// Within so many days up to today, where the storefront is.
    case releasedWithin(days: Int)
    case released(ReleaseSpan)
    /// Shown by one of these sections, all of which stand above in the same feed.
    case inSection([SectionKey])

    package static let greatestDepth = 8
    package static let mostConditions = 64
    static let mostRatings = 1_000_000_000
    static let mostDays = 3_650

    /// How many conditions there are, those that hold others included.
    package var conditionCount: Int {
        switch self {
        case .all(let rules), .any(let rules): 1 + rules.reduce(0) { $0 + $1.conditionCount }
        case .not(let rule): 1 + rule.conditionCount
        default: 1
        }
    }
}
