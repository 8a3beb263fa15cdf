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
        var left = anyPlatform
        var waiting = byPlatform.filter { $0.value > 0 }.map { (platform: $0.key, left: $0.value) }
        var items: [UUID] = []
        for item in order {
            if left <= 0, waiting.isEmpty { break }
            let own = waiting.isEmpty ? nil : platforms(item)
            var isNeeded = left > 0
            left -= 1
            for index in waiting.indices where own?.contains(waiting[index].platform) ?? true {
                isNeeded = true
                waiting[index].left -= 1
            }
            waiting.removeAll { $0.left == 0 }
            if isNeeded { items.append(item) }
        }
        return items
    }
}
