/// The first of several ranges that contains each of many points. For n ranges and points, they are found in O(n log n).
struct FirstRanges<Bound: Comparable> {
    private let points: [Bound]
    /// The index of the first range that contains each point, or nil if no range contains it.
    private(set) var indices: [Int?]
    /// The next point that no range contains, from each point and from the end.
    private var free: [Int]

    /// Creates an empty list of ranges for ascending points.
    init(at points: [Bound]) {
        self.points = points
        indices = Array(repeating: nil, count: points.count)
        free = Array(0...points.count)
    }

    /// Adds the range with the next index. A bound that is nil excludes no point.
    mutating func insert(_ index: Int, from lower: Bound?, through upper: Bound?) {
        let end = upper.map { bound in points.partitionPoint { bound < $0 } } ?? points.count
        var place = nextFree(from: lower.map { bound in points.partitionPoint { bound <= $0 } } ?? 0)
        while place < end {
            indices[place] = index
            free[place] = place + 1
            place = nextFree(from: place)
        }
    }

    private mutating func nextFree(from start: Int) -> Int {
        var place = start
        while free[place] != place {
            // Later searches skip the points between.
            free[place] = free[free[place]]
            place = free[place]
        }
        return place
    }
}

extension Array {
    /// Returns the index of the first element that belongs to the end, or the count. All elements after one of the end belong to it.
    fileprivate func partitionPoint(_ belongsToEnd: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsToEnd(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
