import Values

extension ListHistory {
    /// Returns the items that every longest common subsequence of two lists has. A composer that moves as few items as possible
    /// moves none of them, whichever keys it assigns.
    static func unmoved(from old: [Entry], to new: [Entry]) -> Set<UUID> {
        let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element.item, $0.offset) })
        let common = new.compactMap { entry in places[entry.item].map { (item: entry.item, place: $0) } }
        // The lengths of the longest ascending runs that end and begin at each item.
        let before = lengthsOfRuns(common.map(\.place))
        let after = Array(lengthsOfRuns(common.reversed().map { -$0.place }).reversed())
        let longest = before.max() ?? 0
        let used = common.indices.filter { before[$0] + after[$0] == longest + 1 }
        let choices = Dictionary(grouping: used) { before[$0] }
        return Set(choices.values.filter { $0.count == 1 }.joined().map { common[$0].item })
    }

    /// Returns the length of the longest ascending subsequence that ends at each number.
    private static func lengthsOfRuns(_ numbers: [Int]) -> [Int] {
        // The least number at which a run of each length ends.
        var ends: [Int] = []
        return numbers.map { number in
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle] < number { low = middle + 1 } else { high = middle }
            }
            if low == ends.count { ends.append(number) } else { ends[low] = number }
            return low + 1
        }
    }
}
