package import Items
internal import JSON
package import Values

package struct ComposedSection: Sendable, Equatable {
    package struct Placement: Sendable, Equatable {
        package let serialNumber: Int
        package var badges: [String] = []
        /// By the locales that group it.
        package var initials: [LocaleTag: String] = [:]

        package init(serialNumber: Int, badges: [String] = [], initials: [LocaleTag: String] = [:]) {
            self.serialNumber = serialNumber
            self.badges = badges
            self.initials = initials
        }
    }

    /// Why a section shows what it does where that is not what its rule finds.
    package enum RetentionReason: Sendable, Equatable {
        case tooFew(found: Int, minimum: Int)
        case tooLargeDrop(found: Int, before: Int)
    }

    /// For each locale where the order is one of titles, else one, under nil. All are empty where the section is left out.
    package var lists: [LocaleTag?: [UUID]] = [:]
    package var placements: [UUID: Placement] = [:]
    package var kept: RetentionReason?

    package init() {}

    package var isEmpty: Bool { lists.values.allSatisfy(\.isEmpty) }
    package var items: Set<UUID> { Set(placements.keys) }

    /// Without what is withdrawn or not in the storefront: of what was shown before, more must not stay.
    package func keeping(_ present: [UUID: ItemFacts]) -> ComposedSection {
        var left = self
        left.lists = lists.mapValues { $0.filter { present[$0] != nil } }
        left.placements = placements.filter { present[$0.key] != nil }
        return left
    }
}

/// Why nothing was found by a rule: then its section stays as it was.
package enum RuleFailure: String, CaseIterable, Sendable, JSONDecodable {
    case timeout
    /// A rule that is too large to be asked, which no section is published with.
    case tooLarge
    /// Others have taken the time, or it is not to be tried again yet.
    case skipped
}
