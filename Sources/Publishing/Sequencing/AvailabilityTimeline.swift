internal import Feeds
internal import Values

/// The next items of a storefront that come or go by the clock.
struct AvailabilityTimeline {
    struct AvailabilityChange {
        let time: Timestamp
        let item: UUID
        /// As when it is there; nil for an item that no list has.
        let facts: ItemFacts?
    }

    /// How many are looked at.
    static let maxChanges = 100

    /// By their moments, of which the last may have more than are here.
    let list: [AvailabilityChange]

    /// The first moment at which one passes that meets the condition, or may be unknown.
    func first(where isOfInterest: (AvailabilityChange) -> Bool) -> Timestamp? {
        let end = list.count < Self.maxChanges ? nil : list.last?.time
        return list.first { $0.time == end || isOfInterest($0) }?.time
    }
}
