/// The keys of a list, so that a change of it changes as few of them as can be.
package enum OrderKeys {
    /// A key for each of the wanted, which are all different. Those that are in the right order already keep theirs, as many as can; where
    /// there is no room for another between them, all are given anew.
    package static func assigned<ID: Hashable>(to wanted: [ID], keeping present: [ID: OrderKey]) -> [OrderKey] {
        let kept = longestRun(wanted.map { present[$0] })
        var keys: [OrderKey] = []
        keys.reserveCapacity(wanted.count)
        var low: OrderKey?
        var place = 0
        while place < wanted.count {
            let end = kept[place...].firstIndex { $0 != nil } ?? wanted.count
            let high = end < wanted.count ? kept[end] : nil
            guard let added = OrderKey.keys(end - place, between: low, and: high) else { return fresh(wanted.count) }
            keys += added
            if let high { keys.append(high) }
            low = high
            place = end + 1
        }
        return keys
    }

    private static func fresh(_ count: Int) -> [OrderKey] {
        guard let keys = OrderKey.keys(count, between: nil, and: nil) else { preconditionFailure("there are more places than keys") }
        return keys
    }

    /// Of keys in some order a longest subsequence that ascends; nil in the places of all others.
    private static func longestRun(_ keys: [OrderKey?]) -> [OrderKey?] {
        // The place at which the best run of each length ends, and what comes before each place in its run.
        var ends: [Int] = []
        var before: [Int?] = Array(repeating: nil, count: keys.count)
        for (place, key) in keys.enumerated() {
            guard let key else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if let end = keys[ends[middle]], end < key { low = middle + 1 } else { high = middle }
            }
            before[place] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var kept: [OrderKey?] = Array(repeating: nil, count: keys.count)
        var place = ends.last
        while let current = place {
            kept[current] = keys[current]
            place = before[current]
        }
        return kept
    }
}
