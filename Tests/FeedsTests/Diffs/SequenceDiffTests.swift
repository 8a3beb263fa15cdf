import Feeds
import TestSupport
import Testing

@Suite("The diff of two sequences")
struct SequenceDiffTests {
    @Test("A diff lists removed, added and moved elements with their positions")
    func parts() {
        let difference = SequenceDiff(from: ["a", "b", "c", "d"], to: ["d", "a", "x", "c"])
        #expect(difference.removed.map { "\($0.element) \($0.position)" } == ["b 1"])
        #expect(difference.added.map { "\($0.element) \($0.position)" } == ["x 2"])
        #expect(difference.moved.map { "\($0.element) \($0.from) \($0.to)" } == ["d 3 0"])
    }

    @Test("An element that only shifts is not a move")
    func givingWay() {
        #expect(SequenceDiff(from: [1, 2, 3], to: [9, 1, 2, 3]).moved.isEmpty)
        #expect(SequenceDiff(from: [1, 2, 3], to: [2, 3]).moved.isEmpty)
        #expect(SequenceDiff(from: [1, 2, 3, 4, 5], to: [2, 3, 4, 5, 1]).moved.map(\.element) == [1])
    }

    @Test("A diff of equal sequences is empty, and others have the minimum number of moves")
    func random() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let before = Array((0..<Int.random(in: 0...7, using: &random)).shuffled(using: &random))
            let after = Array((2..<Int.random(in: 2...9, using: &random)).shuffled(using: &random))
            #expect(SequenceDiff(from: before, to: before).isEmpty)
            let difference = SequenceDiff(from: before, to: after)
            let moved = Set(difference.moved.map(\.element))
            // Elements that are neither added, removed nor moved keep their order.
            let steady = after.filter { before.contains($0) && !moved.contains($0) }
            #expect(before.filter { steady.contains($0) } == steady, "seed \(seed)")
            #expect(
                before.filter { element in difference.removed.contains { $0.element == element } } == before.filter { !after.contains($0) })
            #expect(difference.added.map(\.element) == after.filter { !before.contains($0) }, "seed \(seed)")
            let common = after.filter(before.contains)
            #expect(steady.count == Self.longestRise(common.compactMap { before.firstIndex(of: $0) }), "seed \(seed)")
        }
    }

    /// Returns the length of the longest increasing subsequence, by trying all of them.
    private static func longestRise(_ numbers: [Int]) -> Int {
        (0..<(1 << numbers.count)).reduce(0) { best, bits in
            let part = numbers.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
            return zip(part, part.dropFirst()).allSatisfy(<) ? max(best, part.count) : best
        }
    }
}
