/// The difference of two orders of distinct elements: removals, additions, and as few moves as possible.
package struct SequenceDiff<Element: Hashable & Sendable>: Sendable, Equatable {
    package struct Position: Sendable, Equatable {
        package let element: Element
        package let position: Int
    }

    package struct Move: Sendable, Equatable {
        package let element: Element
        package let from: Int
        package let to: Int
    }

    /// The removed elements, by their previous position.
    package private(set) var removed: [Position] = []
    /// The added elements, by their new position.
    package private(set) var added: [Position] = []
    /// The moved elements, by their new position. Elements that only make room for others are not included.
    package private(set) var moved: [Move] = []

    /// Compares two orders in O(n log n) time.
    package init(from before: [Element], to after: [Element]) {
        let old = Dictionary(before.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Set(after)
        removed = before.enumerated().filter { !new.contains($1) }.map { Position(element: $1, position: $0) }
        var common: [Move] = []
        for (position, element) in after.enumerated() {
            if let from = old[element] {
                common.append(Move(element: element, from: from, to: position))
            } else {
                added.append(Position(element: element, position: position))
            }
        }
        let steady = Self.longestRise(of: common.map(\.from))
        moved = common.enumerated().filter { index, _ in !steady.contains(index) }.map(\.1)
    }

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty && moved.isEmpty }

    /// Returns the indexes of a longest increasing subsequence. All other elements have to move.
    private static func longestRise(of numbers: [Int]) -> Set<Int> {
        // The index of the least end of a run of each length, and the index before each number in its run.
        var ends: [Int] = []
        var predecessors: [Int?] = []
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            predecessors.append(low > 0 ? ends[low - 1] : nil)
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var rise: Set<Int> = []
        var next = ends.last
        while let index = next {
            rise.insert(index)
            next = predecessors[index]
        }
        return rise
    }
}
