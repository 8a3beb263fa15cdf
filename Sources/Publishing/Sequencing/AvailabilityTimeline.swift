internal import Feeds
internal import Values

/// The next items of a storefront that become available or unavailable, or change their price.
struct AvailabilityTimeline {
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

    /// Returns the first time of a change that meets the condition. The last time of a full list also counts, because
    /// not all of its changes are known.
    func first(where isOfInterest: (AvailabilityChange) -> Bool) -> Timestamp? {
        let end = list.count < Self.maxChanges ? nil : list.last?.time
        return list.first { $0.time == end || isOfInterest($0) }?.time
    }
}
