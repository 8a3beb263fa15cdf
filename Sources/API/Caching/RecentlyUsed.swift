internal import Host

/// A cache with a size limit that evicts the least recently used values, one at a time.
///
/// Each call takes constant time, except those that evict several values for a large one.
struct RecentlyUsed<Key: Hashable, Value> {
    fileprivate struct Entry {
        let key: Key
        var value: Value
        var size: Int
        /// The indices of the entries that were used before and after this one; -1 if there is no such entry.
        var older = -1
        var newer = -1
    }

    private let limit: Int
    private var indexes: [Key: Int] = [:]
    /// The entries in no order. Free entries have no index in `indexes`.
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    private(set) var size = 0

    /// Creates an empty cache. `limit` is the largest sum of the sizes of the values.
    init(limit: Int) { self.limit = limit }

    var count: Int { indexes.count }

    /// Returns a value and marks it as used; nil if it is not cached.
    mutating func value(of key: Key) -> Value? {
        guard let index = indexes[key] else { return nil }
        use(index)
        return entries[index]?.value
    }

    /// Inserts or replaces the value of a key. A value that is larger than the limit is not cached.
    mutating func insert(_ value: Value, _ key: Key, size: Int) {
        remove(key)
        guard size <= limit else { return }
        while self.size > limit - size, let last = oldest < 0 ? nil : entries[oldest]?.key { remove(last) }
        let entry = Entry(key: key, value: value, size: size)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            entries[index] = entry
        } else {
            index = entries.count
            entries.append(entry)
        }
        indexes[key] = index
        self.size += size
        link(index)
    }

    /// Removes a value and returns it with its size; nil if it is not cached.
    @discardableResult
    mutating func remove(_ key: Key) -> (value: Value, size: Int)? {
        guard let index = indexes.removeValue(forKey: key), let entry = entries[index] else { return nil }
        unlink(index)
        entries[index] = nil
        free.append(index)
        size -= entry.size
        return (entry.value, entry.size)
    }

    /// Removes the values that meet a condition, among `count` entries from an index on. Returns the next index; nil
    /// after the last.
    mutating func removeSome(_ count: Int, from start: Int, where isGone: (Key, Value) -> Bool) -> Int? {
        let end = min(entries.count, start + count)
        for index in start..<max(start, end) {
            if let entry = entries[index], isGone(entry.key, entry.value) { remove(entry.key) }
        }
        return end < entries.count ? end : nil
    }

    /// Returns the first value that meets a condition, among the `count` most recently used ones.
    func first(among count: Int, where isWanted: (Value) -> Bool) -> Value? {
        var index = newest
        for _ in 0..<count {
            guard index >= 0, let entry = entries[index] else { return nil }
            if isWanted(entry.value) { return entry.value }
            index = entry.older
        }
        return nil
    }

    private mutating func use(_ index: Int) {
        guard index != newest else { return }
        unlink(index)
        link(index)
    }

    private mutating func link(_ index: Int) {
        entries[index]?.older = newest
        entries[index]?.newer = -1
        if newest >= 0 { entries[newest]?.newer = index }
        newest = index
        if oldest < 0 { oldest = index }
    }

    private mutating func unlink(_ index: Int) {
        guard let entry = entries[index] else { return }
        if entry.older >= 0 { entries[entry.older]?.newer = entry.newer } else { oldest = entry.newer }
        if entry.newer >= 0 { entries[entry.newer]?.older = entry.older } else { newest = entry.older }
    }
}

extension RecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension RecentlyUsed.Entry: Sendable where Key: Sendable, Value: Sendable {}

/// A cache of values that are made on first use. It keeps the most recently used ones.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let retained: Locked<RecentlyUsed<Key, Value>>

    /// Creates an empty cache. `limit` is the number of values.
    init(limit: Int) { retained = Locked(RecentlyUsed(limit: limit)) }

    /// Returns a value. It is made outside the lock, so callers at the same time may each make it.
    func value(of key: Key, make: () -> Value) -> Value {
        if let known = retained.withLock({ $0.value(of: key) }) { return known }
        let value = make()
        retained.withLock { $0.insert(value, key, size: 1) }
        return value
    }
}
