internal import Host

/// Values that are made where they are asked for first; those that were asked for last are kept, for as long as there is room.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let kept: Locked<RecentlyUsed<Key, Value>>

    /// `limit` is how many are kept.
    init(limit: Int) { kept = Locked(RecentlyUsed(limit: limit)) }

    /// Made outside of the lock, and so by each of those who ask for it at the same time.
    func value(of key: Key, make: () -> Value) -> Value {
        if let known = kept.withLock({ $0.value(of: key) }) { return known }
        let value = make()
        kept.withLock { $0.insert(value, key, size: 1) }
        return value
    }
}
