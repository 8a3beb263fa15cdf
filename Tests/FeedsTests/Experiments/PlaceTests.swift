import Feeds
import Resolve
import TestSupport
import Testing

@Suite("The places of clients in an experiment")
struct PlaceTests {
    @Test("The place of a client equals the documented one")
    func vectors() throws {
        let rows = try FeedsPage.rows(below: "### Places")
        #expect(rows.count == 7)
        for row in rows { #expect(Place.of(row[1], in: row[0]) == Int(row[3]), "\(row)") }
    }

    private func places(_ experiment: String, seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        return (0..<10_000).map { count in
            // IDs of both usual kinds: random ones, and numbers that differ only in their last digits.
            let id = count.isMultiple(of: 2) ? String(random.next(), radix: 16) : "user-\(count)"
            return Place.of(id, in: experiment)
        }
    }

    /// Returns the sum of squared deviations from the expected count, divided by that count.
    private func chiSquare(_ counts: [Int], of total: Int) -> Double {
        let expected = Double(total) / Double(counts.count)
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }

    @Test("Clients are distributed evenly over the places", arguments: ["weekend", "a", "checkout-2026", "x.y_z"])
    func uniform(experiment: String) {
        var counts = Array(repeating: 0, count: 100)
        for index in places(experiment, seed: 7) { counts[index] += 1 }
        // With 99 degrees of freedom, one in ten thousand uniform distributions exceeds 161.
        #expect(chiSquare(counts, of: 10_000) < 161, "seed 7: \(counts)")
    }

    @Test("The places in two experiments are independent")
    func independent() {
        let pairs = zip(places("weekend", seed: 11), places("weekend2", seed: 11))
        var counts = Array(repeating: 0, count: 100)
        for (a, b) in pairs { counts[a / 10 * 10 + b / 10] += 1 }
        #expect(chiSquare(counts, of: 10_000) < 161, "seed 11: \(counts)")
    }
}
