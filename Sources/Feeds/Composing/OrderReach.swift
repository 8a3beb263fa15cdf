package import Values

/// The number of items that clients need of an order: those without a platform, and those of each platform.
///
/// A client sees the pins and the items that run on its platform. The published order has the first items that each of
/// them needs, so it is enough for all clients.
package struct OrderReach: Sendable, Equatable {
    /// The number of items for clients that state no platform. They can see all items.
    package let anyPlatform: Int
    /// The number of items for the clients of each served platform. Empty if all clients can see all items.
    package let byPlatform: [String: Int]

    /// Creates the reach of an order below pins. `platforms` returns the platforms on which a pinned item runs, or nil if it
    /// runs everywhere.
    package init(
        of selection: ItemSelection, below pins: [ComposedItems.Pin], on served: [String], platforms: (UUID) -> Set<String>?
    ) {
        anyPlatform = selection.reach(with: pins)
        guard selection.eligibility == .platform else {
            byPlatform = [:]
            return
        }
        byPlatform = Dictionary(
            uniqueKeysWithValues: served.map { platform in
                let visible = pins.filter { $0.item.flatMap(platforms)?.contains(platform) ?? true }
                return (platform, selection.reach(with: visible))
            })
    }

    /// Returns the items that some client needs, in their order.
    package func items(of order: some Sequence<UUID>, platforms: (UUID) -> Set<String>?) -> [UUID] {
        var passed = 0
        var passedOn: [String: Int] = [:]
        var waiting = Set(byPlatform.filter { $0.value > 0 }.keys)
        var items: [UUID] = []
        for item in order {
            if passed >= anyPlatform, waiting.isEmpty { break }
            let own = byPlatform.isEmpty ? nil : platforms(item)
            var isNeeded = passed < anyPlatform
            passed += 1
            for platform in waiting where own?.contains(platform) ?? true {
                isNeeded = true
                passedOn[platform, default: 0] += 1
                if passedOn[platform] == byPlatform[platform] { waiting.remove(platform) }
            }
            if isNeeded { items.append(item) }
        }
        return items
    }
}
