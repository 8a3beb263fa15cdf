import TestSupport
import Testing

@testable import Layout

@Suite("The first ranges that contain points")
struct FirstRangesTests {
    /// A number that counts its comparisons.
    private struct Counted: Comparable {
        final class Counter { var count = 0 }

        let number: Int
        let counter: Counter

        static func == (a: Counted, b: Counted) -> Bool { a.number == b.number }
        static func < (a: Counted, b: Counted) -> Bool {
            a.counter.count += 1
            return a.number < b.number
        }
    }

    @Test("Each point has the first range that contains it", arguments: 0..<20 as Range<UInt64>)
    func first(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let points = Array(0..<20)
        var found = FirstRanges(at: points)
        var ranges: [(lower: Int?, upper: Int?)] = []
        for index in 0..<8 {
            let lower = Bool.random(using: &random) ? Int.random(in: -2...21, using: &random) : nil
            let upper = Bool.random(using: &random) ? Int.random(in: -2...21, using: &random) : nil
            ranges.append((lower, upper))
            found.insert(index, from: lower, through: upper)
        }
        let expected = points.map { point in ranges.firstIndex { ($0.lower ?? point) <= point && ($0.upper ?? point) >= point } }
        #expect(found.indices == expected, "seed \(seed): \(ranges)")
    }

    @Test("The number of comparisons grows little faster than the number of ranges")
    func comparisons() {
        let (count, counter) = (2_000, Counted.Counter())
        var ranges = FirstRanges(at: (0..<count).map { Counted(number: $0, counter: counter) })
        for index in 0..<count {
            let bound = Counted(number: index, counter: counter)
            ranges.insert(index, from: index.isMultiple(of: 2) ? bound : nil, through: bound)
        }
        // A binary search among 2,000 points compares 11 of them.
        #expect(counter.count <= count * 22 && ranges.indices.allSatisfy { $0 != nil })
    }
}
