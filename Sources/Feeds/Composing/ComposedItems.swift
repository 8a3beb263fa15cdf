internal import JSON
package import Resolve
package import Values

/// The items of a shelf or of a list at one time, with their orders.
package struct ComposedItems: Sendable, Equatable {
    /// A pin of a shelf. The target decides which clients see it.
    package struct Pin: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case item(UUID, ItemAppearance?)
            case card(Card)
        }

        package let slot: Int
        package let content: Content
        /// The pinned item, or nil if the pin is a card. Stored, because the optimizer of Swift 6.3.1 does not compile closures over
        /// pins that derive it.
        package let item: UUID?
        package let target: Target?

        package init(slot: Int, content: Content, target: Target? = nil) {
            self.slot = slot
            self.content = content
            item = if case .item(let item, _) = content { item } else { nil }
            self.target = target
        }
    }

    /// An item, which is pinned, a candidate, or both.
    package struct Placement: Sendable, Equatable {
        package let serialNumber: Int
        package var badges: [String] = []
        /// The platforms whose clients see the item, or nil if all clients do. Never empty.
        package var platforms: Set<String>?
        /// The heading of the item in each locale that groups it.
        package var initials: [LocaleTag: String] = [:]

        package init(
            serialNumber: Int, badges: [String] = [], platforms: Set<String>? = nil, initials: [LocaleTag: String] = [:]
        ) {
            self.serialNumber = serialNumber
            self.badges = badges
            self.platforms = platforms
            self.initials = initials
        }
    }

    /// The reason why a section does not show the items that its rule finds.
    package enum RetentionReason: Sendable, Equatable {
        case tooFew(found: Int, minimum: Int)
        case tooLargeDrop(found: Int, before: Int)
    }

    /// The pins of a shelf, in the order of their slots. The pins of a list are the first items of its orders.
    package var pins: [Pin] = []
    /// The items of a list, or the candidates for the slots of a shelf. A shelf has more candidates than slots if clients can
    /// see some of them elsewhere. There is one order for each locale if the items are sorted by title, or else one order
    /// under nil.
    package var orders: [LocaleTag?: [UUID]] = [:]
    /// The order for the clients of each platform in a rotation, which turns over the items that run there. The order under nil
    /// is then for clients that state no platform. Empty if all clients have the same order.
    package var platformOrders: [String: [UUID]] = [:]
    package var placements: [UUID: Placement] = [:]
    package var retained: RetentionReason?
    /// Whether an order has the previous items. Too few previous items are not retained.
    package var keepsPrevious = false

    package init() {}

    package var isEmpty: Bool { pins.isEmpty && allOrders.allSatisfy(\.isEmpty) }
    package var items: Set<UUID> { Set(placements.keys) }

    private var allOrders: [[UUID]] { Array(orders.values) + platformOrders.values }

    /// Returns the order for the clients of a platform in a locale. A nil platform is for clients that state none.
    package func order(in locale: LocaleTag, on platform: String?) -> [UUID] {
        if let platform, !platformOrders.isEmpty { return platformOrders[platform] ?? [] }
        return orders[locale] ?? orders[nil] ?? []
    }

    /// Returns the items with only some in each order.
    func filteringOrders(_ isIncluded: (UUID) -> Bool) -> ComposedItems {
        var left = self
        left.orders = orders.mapValues { $0.filter(isIncluded) }
        left.platformOrders = platformOrders.mapValues { $0.filter(isIncluded) }
        return left
    }

    /// Returns the items without those that are withdrawn or not in the storefront. Unavailable items must not be retained.
    package func keeping(_ present: [UUID: ItemFacts]) -> ComposedItems {
        var left = filteringOrders { present[$0] != nil }
        left.pins = pins.filter { pin in
            guard let item = pin.item else { return true }
            return present[item] != nil
        }
        left.placements = placements.filter { present[$0.key] != nil }
        return left
    }

    /// Returns the same for the clients of all platforms, if the items decide who sees them. A platform that was added later has no
    /// order in a rotation yet. It has the items of clients without a platform that run there.
    package func keeping(_ present: [UUID: ItemFacts], on platforms: ClientPlatforms) -> ComposedItems {
        var left = keeping(present)
        for item in left.placements.keys { left.placements[item]?.platforms = present[item].flatMap(platforms.platforms) }
        guard !platformOrders.isEmpty else { return left }
        for platform in platforms.all where left.platformOrders[platform]?.isEmpty ?? true {
            left.platformOrders[platform] = (left.orders[nil] ?? []).filter { present[$0]?.runs(on: platform) ?? false }
        }
        return left
    }

    /// Returns the number of elements of a shelf of some size in each order, for a client that sees all pins, or only those
    /// without a target, and leaves no item out.
    package func counts(upTo size: Int, withTargets: Bool = true) -> [LocaleTag?: Int] {
        let pins = pins.filter { withTargets || $0.target == nil }
        let pinned = Set(pins.compactMap(\.item))
        return orders.mapValues { order in min(size, pins.count + order.count { !pinned.contains($0) }) }
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
