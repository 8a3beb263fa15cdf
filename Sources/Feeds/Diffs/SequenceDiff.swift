/// How one order becomes another in which nothing is twice: what goes, what comes, and the fewest moves in between.
package struct SequenceDiff<Element: Hashable & Sendable>: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package let element: Element
        package let place: Int
    }

    package struct Move: Sendable, Equatable {
        package let element: Element
        package let from: Int
        package let to: Int
    }

    /// By their places before.
    package private(set) var removed: [Place] = []
    /// By their places after.
    package private(set) var added: [Place] = []
    /// By their places after. One that only gives way to others has not moved.
    package private(set) var moved: [Move] = []

    /// Takes time n log n.
    package init(from before: [Element], to after: [Element]) {
        let old = Dictionary(before.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Set(after)
        removed = before.enumerated().filter { !new.contains($1) }.map { Place(element: $1, place: $0) }
        var common: [Move] = []
        for (place, element) in after.enumerated() {
            if let from = old[element] {
                common.append(Move(element: element, from: from, to: place))
            } else {
                added.append(Place(element: element, place: place))
            }
        }
        let steady = Self.longestRise(of: common.map(\.from))
        moved = common.enumerated().filter { index, _ in !steady.contains(index) }.map(\.1)
    }

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty && moved.isEmpty }

    /// The indexes of a longest part that rises: all others have to move.
    private static func longestRise(of numbers: [Int]) -> Set<Int> {
        // The index of the least end of a rise of each length, and what comes before each number in the rise that it ends.
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
