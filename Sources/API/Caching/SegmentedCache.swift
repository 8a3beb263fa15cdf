/// A cache with a size limit in which values that are used once do not evict values that are used again.
///
/// A new value is on trial, among the most recent new ones. Its first use from the cache moves it to the retained values,
/// which have most of the space. So a series of values without a second use only evicts others on trial.
struct SegmentedCache<Key: Hashable, Value> {
    private var trial: RecentlyUsed<Key, Value>
    private var retained: RecentlyUsed<Key, Value>

    /// Creates an empty cache. `limit` is the largest sum of the sizes of the values. A quarter of it is for values on
    /// trial, so a larger value is not cached.
    init(limit: Int) {
        trial = RecentlyUsed(limit: limit / 4)
        retained = RecentlyUsed(limit: limit - limit / 4)
    }

    var size: Int { trial.size + retained.size }

    /// Returns a value and marks it as used; nil if it is not cached.
    mutating func value(of key: Key) -> Value? {
        if let value = retained.value(of: key) { return value }
        guard let (value, size) = trial.remove(key) else { return nil }
        retained.insert(value, key, size: size)
        return value
    }

    /// Inserts a value on trial, unless the key has a retained one.
    mutating func insert(_ value: Value, _ key: Key, size: Int) {
        guard retained.value(of: key) == nil else { return }
        trial.insert(value, key, size: size)
    }
}

extension SegmentedCache: Sendable where Key: Sendable, Value: Sendable {}
