internal import JSON
package import Values

package struct ComposedSection: Sendable, Equatable {
    package struct Placement: Sendable, Equatable {
        package let serialNumber: Int
        package var badges: [String] = []
        /// The heading of the item in each locale that groups it.
        package var initials: [LocaleTag: String] = [:]

        package init(serialNumber: Int, badges: [String] = [], initials: [LocaleTag: String] = [:]) {
            self.serialNumber = serialNumber
            self.badges = badges
            self.initials = initials
        }
    }

    /// The reason why a section does not show the items that its rule finds.
    package enum RetentionReason: Sendable, Equatable {
        case tooFew(found: Int, minimum: Int)
        case tooLargeDrop(found: Int, before: Int)
    }

    /// One list for each locale if the order is by title, or else one list under nil. All are empty if the section is
    /// omitted.
    package var lists: [LocaleTag?: [UUID]] = [:]
    package var placements: [UUID: Placement] = [:]
    /// The number of items of each list that are on the page.
    package var size = FeedSection.standardSize
    package var retained: RetentionReason?

    package init() {}

    package var isEmpty: Bool { lists.values.allSatisfy(\.isEmpty) }
    package var items: Set<UUID> { Set(placements.keys) }
    /// The items on the page, in any locale.
    package var shelf: Set<UUID> { Set(lists.values.flatMap { $0.prefix(size) }) }

    /// Returns the section without items that are withdrawn or not in the storefront. Unavailable items must not be
    /// retained.
    package func keeping(_ present: [UUID: ItemFacts]) -> ComposedSection {
        var left = self
        left.lists = lists.mapValues { $0.filter { present[$0] != nil } }
        left.placements = placements.filter { present[$0.key] != nil }
        return left
    }
}

/// The reason why the items of a rule are unknown, so that its section stays unchanged.
package enum RuleFailure: String, CaseIterable, Sendable, JSONDecodable {
    case timeout
    /// The rule is too large to run. No section is published with such a rule.
    case tooLarge
    /// Other rules have used the time, or the pause before the next attempt has not ended.
    case skipped
}
