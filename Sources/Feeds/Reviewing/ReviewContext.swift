package import Items
package import Values

/// The existing resources that a document names, and the items of its shelves and lists at publication.
package struct ReviewContext: Sendable {
    package enum Availability: Sendable, Equatable {
        case everywhere
        case at([String: [Range<Timestamp>]])

        /// Returns the times within a period.
        func times(in storefront: String, within period: Range<Timestamp>) -> [Range<Timestamp>] {
            switch self {
            case .everywhere: [period]
            case .at(let times): (times[storefront] ?? []).map { $0.clamped(to: period) }.filter { !$0.isEmpty }
            }
        }
    }

    package struct VisiblePart: Sendable, Equatable {
        /// The largest number of elements in a locale.
        package var items: Int
        /// The number of items for clients that state no platform, if it is too small.
        package var tooFew: Int?
        /// The number of items on each served platform on which it is too small.
        package var tooFewOn: [String: Int]
        /// The reason why the items of the rule are unknown.
        package var ruleFailure: RuleFailure?

        package init(items: Int, tooFew: Int? = nil, tooFewOn: [String: Int] = [:], ruleFailure: RuleFailure? = nil) {
            self.items = items
            self.tooFew = tooFew
            self.tooFewOn = tooFewOn
            self.ruleFailure = ruleFailure
        }
    }

    package var storefronts: [Storefront] = []
    /// The clock of each storefront.
    package var clocks: [String: LocalClock] = [:]
    package var items: [ItemReference: Availability] = [:]
    package var categories: Set<String> = []
    package var cuisines: Set<String> = []
    /// The developers as the document names them.
    package var developers: Set<String> = []
    package var tags: Set<String> = []
    /// All platforms.
    package var platforms: Set<String> = []
    /// The platforms for whose clients sections are composed, sorted.
    package var servedPlatforms: [String] = []
    /// The platforms whose clients run each item that does not run on all of them.
    package var itemPlatforms: [ItemReference: Set<String>] = [:]
    /// The charts by storefront.
    package var charts: [String: Set<String>] = [:]
    /// The names of the arms of each experiment.
    package var arms: [String: Set<String>] = [:]
    /// The schedules of the other feeds that actions open. A feed that does not exist has none.
    package var openings: [FeedKey: FeedOpenings] = [:]
    /// The schemes of the URLs that actions can open.
    package var actionSchemes: Set<String> = ["https"]
    /// The shelves and lists by storefront, at the start of the publication or at the later start of the section's period.
    package var live: [String: [SectionPart: VisiblePart]] = [:]

    package init() {}
}
