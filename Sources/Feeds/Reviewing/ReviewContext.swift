package import Items
package import Values

/// What there is of all that a document names, and what its sections would show when it is published.
package struct ReviewContext: Sendable {
    package enum Availability: Sendable, Equatable {
        case everywhere
        case at([String: [Range<Timestamp>]])

        /// The times within a period.
        func times(in storefront: String, within period: Range<Timestamp>) -> [Range<Timestamp>] {
            switch self {
            case .everywhere: [period]
            case .at(let times): (times[storefront] ?? []).map { $0.clamped(to: period) }.filter { !$0.isEmpty }
            }
        }
    }

    package struct Shown: Sendable, Equatable {
        package var items: Int
        /// How many there are where that is too few.
        package var tooFew: Int?
        /// Why nobody knows what the rule finds.
        package var ruleFailure: RuleFailure?

        package init(items: Int, tooFew: Int? = nil, ruleFailure: RuleFailure? = nil) {
            self.items = items
            self.tooFew = tooFew
            self.ruleFailure = ruleFailure
        }
    }

    package var storefronts: [Storefront] = []
    package var items: [ItemReference: Availability] = [:]
    package var categories: Set<String> = []
    package var cuisines: Set<String> = []
    /// By storefront.
    package var charts: [String: Set<String>] = [:]
    /// By storefront, when the publication begins.
    package var shown: [String: [SectionKey: Shown]] = [:]

    package init() {}
}
