import TestSupport
import Testing

@testable import API

@Suite("The cache of recently used values")
struct RecentlyUsedTests {
    @Test("Each insertion into a full cache evicts the least recently used value")
    func order() {
        var values = RecentlyUsed<String, Int>(limit: 3)
        for (index, key) in ["a", "b", "c"].enumerated() { values.insert(index, key, size: 1) }
        #expect(values.value(of: "a") == 0)
        values.insert(3, "d", size: 1)
        #expect(values.count == 3 && values.value(of: "b") == nil)
        #expect(values.value(of: "a") == 0 && values.value(of: "c") == 2 && values.value(of: "d") == 3)
        values.insert(4, "e", size: 2)
        #expect(values.size == 3 && values.value(of: "d") == 3 && values.value(of: "a") == nil)
    }

    @Test("A new value replaces the one of its key, and the total size never exceeds the limit")
    func sizes() {
        var values = RecentlyUsed<String, Int>(limit: 10)
        values.insert(1, "a", size: 9)
        values.insert(2, "a", size: 4)
        #expect(values.size == 4 && values.value(of: "a") == 2)
        values.insert(3, "b", size: 11)
        #expect(values.size == 4 && values.value(of: "b") == nil)
        values.insert(3, "b", size: 10)
        #expect(values.size == 10 && values.count == 1)
    }

    @Test("Values are removed by a condition in small steps, and searched from the most recently used one")
    func conditions() {
        var values = RecentlyUsed<Int, Int>(limit: 100)
        for number in 0..<10 { values.insert(number, number, size: 1) }
        #expect(values.first(among: 3) { $0 < 7 } == nil && values.first(among: 4) { $0 < 7 } == 6)
        var next: Int? = 0
        var steps = 0
        while let index = next {
            next = values.removeSome(4, from: index) { key, _ in key % 2 == 0 }
            steps += 1
        }
        #expect(steps == 3 && values.count == 5 && values.size == 5 && values.value(of: 4) == nil && values.value(of: 5) == 5)
    }

    @Test("The cache behaves like a naive list after random operations", arguments: 1...20)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var values = RecentlyUsed<Int, Int>(limit: 20)
        var model: [(key: Int, value: Int, size: Int)] = []
        for step in 0..<500 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                values.remove(key)
                model.removeAll { $0.key == key }
            case 1:
                let size = Int.random(in: 1...7, using: &random)
                values.insert(step, key, size: size)
                model.removeAll { $0.key == key }
                while model.reduce(size, { $0 + $1.size }) > 20 { model.removeFirst() }
                model.append((key, step, size))
            default:
                let index = model.firstIndex { $0.key == key }
                #expect(values.value(of: key) == index.map { model[$0].value }, "seed \(seed)")
                if let index { model.append(model.remove(at: index)) }
            }
            #expect(values.count == model.count && values.size == model.reduce(0) { $0 + $1.size }, "seed \(seed)")
        }
    }
}
