internal import Feeds
internal import Values

/// The next items of a storefront that become available or unavailable, or change their price.
struct AvailabilityTimeline {
    /// The time at which an item changes.
    struct Bound: Hashable {
        let time: Timestamp
        let item: UUID
    }

    struct AvailabilityChange {
        let time: Timestamp
        let item: UUID
        /// The facts of the item while it is available, before and after the change. Empty if it is in no list.
        let facts: [ItemFacts]
    }

    /// The maximum number of changes to read.
    static let maxChanges = 100

    /// The changes by time. If the list is full, its last time can have further changes.
    let list: [AvailabilityChange]

    /// Returns the facts of each change, except those of some items.
    func facts(except items: Set<UUID>) -> [Bound: [ItemFacts]] {
        list.reduce(into: [:]) { facts, change in
            if !items.contains(change.item) { facts[Bound(time: change.time, item: change.item)] = change.facts }
        }
    }

    /// Returns the first time of a change that meets the condition. The last time of a full list also counts, because
    /// not all of its changes are known.
    func first(where isOfInterest: (AvailabilityChange) -> Bool) -> Timestamp? {
        let end = list.count < Self.maxChanges ? nil : list.last?.time
        return list.first { $0.time == end || isOfInterest($0) }?.time
    }
}
