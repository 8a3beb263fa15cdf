import TestSupport
import Testing

@testable import Feeds

@Suite("The order keys of a list")
struct OrderKeysTests {
    @Test("Order keys ascend, are short at first, and stay the same for the longest sequence of unmoved items", arguments: Seeds.fixed(1))
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list: [Int] = []
        var keys: [Int: OrderKey] = [:]
        for step in 0..<300 {
            var requested = list
            switch Int.random(in: 0..<4, using: &random) {
            case 0: requested.insert(step, at: Int.random(in: 0...requested.count, using: &random))
            case 1: if !requested.isEmpty { requested.remove(at: Int.random(in: 0..<requested.count, using: &random)) }
            case 2 where requested.count > 1:
                let moved = requested.remove(at: Int.random(in: 0..<requested.count, using: &random))
                requested.insert(moved, at: Int.random(in: 0...requested.count, using: &random))
            default: requested += (0..<5).map { 1_000 * (step + 1) + $0 }
            }
            let (assigned, areNew) = OrderKeys.assigned(to: requested, keeping: keys)
            #expect(zip(assigned, assigned.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
            let changed = zip(requested, assigned).filter { keys[$0] != $1 }.count
            // Only moved and new items get new keys, unless no key fits between two others.
            #expect(changed <= 5 || areNew, "seed \(seed)")
            #expect(!areNew || assigned == OrderKeys.assigned(to: requested, keeping: [:]).keys, "seed \(seed)")
            list = requested
            keys = Dictionary(uniqueKeysWithValues: zip(requested, assigned))
        }
        #expect(OrderKeys.assigned(to: Array(0..<30), keeping: [:]).keys.allSatisfy { $0.text.utf8.count == 1 })
    }

    @Test("A move of one item changes one order key")
    func move() {
        let list = Array(0..<200)
        let keys = Dictionary(uniqueKeysWithValues: zip(list, OrderKeys.assigned(to: list, keeping: [:]).keys))
        for (from, to) in [(0, 199), (199, 0), (5, 150), (150, 5), (7, 8)] {
            var moved = list
            moved.insert(moved.remove(at: from), at: to)
            let assigned = OrderKeys.assigned(to: moved, keeping: keys).keys
            #expect(zip(moved, assigned).filter { keys[$0] != $1 }.count == 1)
        }
    }

    @Test("All order keys are assigned again if no key fits between two of them")
    func full() throws {
        let low = try #require(OrderKey("a"))
        let high = try #require(OrderKey("a00000000001"))
        #expect(OrderKey.keys(1, between: low, and: high) == nil)
        let (keys, areNew) = OrderKeys.assigned(to: ["low", "new", "high"], keeping: ["low": low, "high": high])
        #expect(areNew && keys.map(\.text) == ["9", "i", "r"])
    }

    @Test("Many order keys fit before, between and after any two keys", arguments: [nil, "1", "a", "zzzzzzzzzzz1"], [nil, "zzzzzzzzzzzz"])
    func room(low: String?, high: String?) throws {
        let low = low.flatMap { OrderKey($0) }
        let high = high.flatMap { OrderKey($0) }
        for count in [1, 2, 35, 36, 1_000] {
            guard let keys = OrderKey.keys(count, between: low, and: high) else {
                #expect(low?.text == "zzzzzzzzzzz1" && count > 33)
                continue
            }
            #expect(keys.count == count)
            let all = [low].compactMap(\.self) + keys + [high].compactMap(\.self)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
            #expect(keys.allSatisfy { OrderKey($0.text) == $0 })
        }
    }

    @Test("Order keys compare as their bytes do", arguments: Seeds.fixed(3))
    func order(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        let keys = (0..<300).compactMap { _ in
            OrderKey(String((0..<Int.random(in: 1...12, using: &random)).map { _ in digits[Int.random(in: 0...35, using: &random)] }))
        }
        let near = try ["1", "11", "9", "a", "z", "zzzzzzzzzzzz", "000000000001"].map { try #require(OrderKey($0)) }
        for (a, b) in zip(near + keys, (near + keys).dropFirst()) {
            #expect((a < b) == a.text.utf8.lexicographicallyPrecedes(b.text.utf8), "seed \(seed): \(a.text) \(b.text)")
            #expect((a.rank == b.rank) == (a == b), "seed \(seed): \(a.text) \(b.text)")
        }
    }

    @Test("A text that is not an order key is rejected", arguments: ["", "0", "a0", "A", "é", "0000000000001", "a b"])
    func foreign(text: String) {
        #expect(OrderKey(text) == nil)
    }
}
