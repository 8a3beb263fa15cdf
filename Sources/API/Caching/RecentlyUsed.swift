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
    private var places: [Key: Int] = [:]
    /// The entries in no order. Free entries have no index in `places`.
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    private(set) var size = 0

    /// `limit` is the largest sum of the sizes of the values.
    init(limit: Int) { self.limit = limit }

    var count: Int { places.count }

    /// Returns a value and marks it as used; nil if it is not cached.
    mutating func value(of key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        use(place)
        return entries[place]?.value
    }

    /// Inserts or replaces the value of a key. A value that is larger than the limit is not cached.
    mutating func insert(_ value: Value, _ key: Key, size: Int) {
        remove(key)
        guard size <= limit else { return }
        while self.size > limit - size, let last = oldest < 0 ? nil : entries[oldest]?.key { remove(last) }
        let entry = Entry(key: key, value: value, size: size)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            entries[place] = entry
        } else {
            place = entries.count
            entries.append(entry)
        }
        places[key] = place
        self.size += size
        link(place)
    }

    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key), let entry = entries[place] else { return }
        unlink(place)
        entries[place] = nil
        free.append(place)
        size -= entry.size
    }

    /// Removes the values that meet a condition, among `count` entries from an index on. Returns the next index; nil
    /// after the last.
    mutating func removeSome(_ count: Int, from start: Int, where isGone: (Key, Value) -> Bool) -> Int? {
        let end = min(entries.count, start + count)
        for place in start..<max(start, end) {
            if let entry = entries[place], isGone(entry.key, entry.value) { remove(entry.key) }
        }
        return end < entries.count ? end : nil
    }

    /// Returns the first value that meets a condition, among the `count` most recently used ones.
    func first(among count: Int, where isWanted: (Value) -> Bool) -> Value? {
        var place = newest
        for _ in 0..<count {
            guard place >= 0, let entry = entries[place] else { return nil }
            if isWanted(entry.value) { return entry.value }
            place = entry.older
        }
        return nil
    }

    private mutating func use(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    private mutating func link(_ place: Int) {
        entries[place]?.older = newest
        entries[place]?.newer = -1
        if newest >= 0 { entries[newest]?.newer = place }
        newest = place
        if oldest < 0 { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        guard let entry = entries[place] else { return }
        if entry.older >= 0 { entries[entry.older]?.newer = entry.newer } else { oldest = entry.newer }
        if entry.newer >= 0 { entries[entry.newer]?.older = entry.older } else { newest = entry.older }
    }
}

extension RecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension RecentlyUsed.Entry: Sendable where Key: Sendable, Value: Sendable {}

/// A cache of values that are made on first use. It keeps the most recently used ones.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let kept: Locked<RecentlyUsed<Key, Value>>

    /// `limit` is the number of values.
    init(limit: Int) { kept = Locked(RecentlyUsed(limit: limit)) }

    /// Returns a value. It is made outside the lock, so callers at the same time may each make it.
    func value(of key: Key, make: () -> Value) -> Value {
        if let known = kept.withLock({ $0.value(of: key) }) { return known }
        let value = make()
        kept.withLock { $0.insert(value, key, size: 1) }
        return value
    }
}
