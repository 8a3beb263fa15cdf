import TestSupport
import Testing

@testable import Publishing

@Suite("The share of the outbox that a drain takes")
struct OutboxShareTests {
    private static func share(_ changes: [Int], maxChanges: Int) -> OutboxShare {
        OutboxShare(of: changes.enumerated().map { .init(transaction: "t\($0.offset)", changes: $0.element) }, maxChanges: maxChanges)
    }

    @Test("The share is everything that fits, or a single transaction of any size")
    func everything() {
        #expect(Self.share([], maxChanges: 10).isEverything)
        #expect(Self.share([4, 6], maxChanges: 10).isEverything)
        #expect(Self.share([1_000_000], maxChanges: 10).isEverything)
        #expect(Self.share([1_000_000], maxChanges: 10).changes == 1_000_000)
        #expect(Self.share([1_000, 10], maxChanges: 10).isEverything)
    }

    @Test("The share has the oldest transaction and the smallest others that fit, older ones first")
    func smallest() {
        let share = Self.share([10, 10, 10, 1, 3, 3, 3], maxChanges: 7)
        #expect(share.transactions == ["t0", "t3", "t4", "t5"] && share.changes == 17)
        #expect(Self.share([1_000, 11], maxChanges: 10).transactions == ["t0"])
    }

    @Test("Every transaction is taken in time, however many small ones arrive", arguments: Seeds.fixed(1))
    func progress(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var waiting: [OutboxShare.Waiting] = []
        // The number of drains that left a transaction, and of the transactions before it.
        var (drains, before): ([String: Int], [String: Int]) = ([:], [:])
        for step in 0..<500 {
            for number in 0..<Int.random(in: 1...2, using: &random) {
                let isLarge = Int.random(in: 0...20, using: &random) == 0
                before["\(step).\(number)"] = waiting.count
                waiting.append(.init(transaction: "\(step).\(number)", changes: isLarge ? 5_000 : 30))
            }
            let share = OutboxShare(of: waiting, maxChanges: 100)
            let used = Set(share.transactions ?? waiting.map(\.transaction))
            #expect(waiting.isEmpty || used.contains(waiting[0].transaction), "seed \(seed)")
            #expect(share.changes <= 5_100, "seed \(seed)")
            for left in waiting where !used.contains(left.transaction) { drains[left.transaction, default: 0] += 1 }
            waiting.removeAll { used.contains($0.transaction) }
        }
        #expect(drains.allSatisfy { $0.value <= before[$0.key] ?? 0 }, "seed \(seed)")
    }
}
