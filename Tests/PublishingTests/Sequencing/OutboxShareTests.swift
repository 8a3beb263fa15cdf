import TestSupport
import Testing

@testable import Publishing

@Suite("The share of the outbox that a drain takes")
struct OutboxShareTests {
    private static let limits = OutboxShare.Limits(edits: 10, imports: 10)

    private static func share(_ changes: [Int], maxEdits: Int = 10) -> OutboxShare {
        OutboxShare(
            of: changes.enumerated().map { .init(transaction: "t\($0.offset)", changes: $0.element) },
            OutboxShare.Limits(edits: maxEdits, imports: 10), .few)
    }

    /// Returns a share of these edits, which are older than the imports.
    private static func share(edits: [Int], imports: [Int], _ turn: OutboxShare.Turn = .few) -> OutboxShare {
        let waiting =
            edits.enumerated().map { OutboxShare.Waiting(transaction: "e\($0.offset)", changes: $0.element) }
            + imports.enumerated().map { OutboxShare.Waiting(transaction: "i\($0.offset)", changes: $0.element, isImport: true) }
        return OutboxShare(of: waiting, limits, turn)
    }

    @Test("The share is everything that fits, or a single transaction of any size")
    func everything() {
        #expect(Self.share([]).isEverything)
        #expect(Self.share([4, 6]).isEverything)
        #expect(Self.share([1_000_000]).isEverything)
        #expect(Self.share([1_000_000]).changes == 1_000_000)
        #expect(Self.share([1_000, 10]).isEverything)
    }

    @Test("The share has the oldest transaction and the smallest others that fit, older ones first")
    func smallest() {
        let share = Self.share([10, 10, 10, 1, 3, 3, 3], maxEdits: 7)
        #expect(share.transactions == ["t0", "t3", "t4", "t5"] && share.changes == 17)
        #expect(Self.share([1_000, 11]).transactions == ["t0"])
    }

    @Test(
        "All edits are taken, however large they are and however many imports wait", arguments: [0, 1, 10, 10_000],
        [OutboxShare.Turn.few, .both])
    func edits(chunks: Int, turn: OutboxShare.Turn) {
        let share = Self.share(edits: [7, 3], imports: Array(repeating: 8, count: chunks), turn)
        let imported = chunks < 2 ? 8 * chunks : turn == .both ? 16 : 0
        #expect(share.taken == OutboxCounts(edits: 10, imports: imported))
        #expect(share.left == OutboxCounts(imports: 8 * chunks - imported))
        #expect(share.isEverything == (chunks < 2))
        #expect(share.turnAfterSuccess == (chunks >= 2 && turn == .few ? .both : .few))
        #expect(Self.share(edits: [5_000], imports: [1]).isEverything)
    }

    @Test("While many imports wait, edits are taken alone, and imports with the next share")
    func turns() {
        #expect(Self.share(edits: [1, 2], imports: [20, 20]).transactions == ["e0", "e1"])
        #expect(Self.share(edits: [1, 2], imports: [20, 20], .both).transactions == ["e0", "e1", "i0"])
        #expect(Self.share(edits: [], imports: [20, 20]).transactions == ["i0"])
        #expect(Self.share(edits: [1], imports: [1_000_000]).transactions == ["e0"])
        // A few imports delay no edit, and the head is complete sooner.
        #expect(Self.share(edits: [1], imports: [5, 5]).isEverything)
    }

    @Test("After a failure, the lanes take turns, however few imports wait")
    func failure() {
        let failed = Self.share(edits: [1, 2], imports: [3])
        #expect(failed.isEverything && failed.turnAfterFailure == .edits)
        let edits = Self.share(edits: [1, 2], imports: [3], .edits)
        #expect(edits.transactions == ["e0", "e1"] && edits.left == OutboxCounts(imports: 3))
        #expect(edits.turnAfterSuccess == .imports && edits.turnAfterFailure == .imports)
        let imports = Self.share(edits: [1, 2], imports: [20, 20], .imports)
        #expect(imports.transactions == ["i0"] && imports.left == OutboxCounts(edits: 3, imports: 20))
        #expect(imports.turnAfterSuccess == .few && imports.turnAfterFailure == .edits)
    }

    @Test("After a failure, a lane that waits alone is taken, and both again when no imports are left")
    func alone() {
        #expect(Self.share(edits: [], imports: [3], .edits).isEverything && Self.share(edits: [1], imports: [], .imports).isEverything)
        #expect(Self.share(edits: [], imports: [20, 20], .edits).turnAfterSuccess == .few)
        #expect(Self.share(edits: [1], imports: [], .edits).turnAfterSuccess == .few)
        #expect(Self.share(edits: [11, 5], imports: [3], .edits).turnAfterSuccess == .imports)
    }

    @Test("A lane whose changes cannot be published does not stop the other", arguments: [false, true])
    func stopped(areImports: Bool) {
        var turn = OutboxShare.Turn.few
        var published = 0
        for _ in 0..<100 {
            let share = Self.share(edits: [1], imports: [3], turn)
            let isFailed = areImports ? share.taken.imports > 0 : share.taken.edits > 0
            if !isFailed { published += 1 }
            turn = isFailed ? share.turnAfterFailure : share.turnAfterSuccess
        }
        #expect(published == (areImports ? 50 : 33))
    }

    @Test("Every transaction is taken in time, however many small ones arrive", arguments: Seeds.fixed(1), [false, true])
    func progress(seed: UInt64, areImports: Bool) {
        var random = SeededRandom(seed: seed)
        var waiting: [OutboxShare.Waiting] = []
        // The number of drains that left a transaction, and of the transactions before it.
        var (drains, before): ([String: Int], [String: Int]) = ([:], [:])
        var turn = OutboxShare.Turn.few
        for step in 0..<500 {
            for number in 0..<Int.random(in: 1...2, using: &random) {
                let isLarge = Int.random(in: 0...20, using: &random) == 0
                before["\(step).\(number)"] = waiting.count
                waiting.append(.init(transaction: "\(step).\(number)", changes: isLarge ? 5_000 : 30, isImport: areImports && isLarge))
            }
            let share = OutboxShare(of: waiting, OutboxShare.Limits(edits: 100, imports: 100), turn)
            turn = share.turnAfterSuccess
            let used = Set(share.transactions ?? waiting.map(\.transaction))
            let oldest = waiting.first { !$0.isImport }
            #expect(oldest.map { used.contains($0.transaction) } ?? true, "seed \(seed)")
            #expect(share.taken.edits <= 5_100 && share.taken.imports <= 5_100, "seed \(seed)")
            for left in waiting where !used.contains(left.transaction) { drains[left.transaction, default: 0] += 1 }
            waiting.removeAll { used.contains($0.transaction) }
        }
        // Every second share can be one of edits alone.
        #expect(drains.allSatisfy { $0.value <= (areImports ? 2 : 1) * (before[$0.key] ?? 0) + (areImports ? 1 : 0) }, "seed \(seed)")
    }
}
