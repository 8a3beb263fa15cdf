internal import JSON
package import Values

/// The items of a shelf or of a list at one time, with their orders.
package struct ComposedItems: Sendable, Equatable {
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

    /// One order for each locale if the items are sorted by title, or else one order under nil.
    package var orders: [LocaleTag?: [UUID]] = [:]
    package var placements: [UUID: Placement] = [:]
    package var retained: RetentionReason?

    package init() {}

    package var isEmpty: Bool { orders.values.allSatisfy(\.isEmpty) }
    package var items: Set<UUID> { Set(placements.keys) }

    /// Returns the items without those that are withdrawn or not in the storefront. Unavailable items must not be retained.
    package func keeping(_ present: [UUID: ItemFacts]) -> ComposedItems {
        var left = self
        left.orders = orders.mapValues { $0.filter { present[$0] != nil } }
        left.placements = placements.filter { present[$0.key] != nil }
        return left
    }
}

/// The reason why the items of a rule are unknown, so that they stay unchanged.
package enum RuleFailure: String, CaseIterable, Sendable, JSONDecodable {
    case timeout
    /// The rule is too large to run. No section is published with such a rule.
    case tooLarge
    /// Other rules have used the time, or the pause before the next attempt has not ended.
    case skipped
}
