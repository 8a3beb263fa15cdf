import TestSupport
import Testing

@testable import HTTP

@Suite("The space of an arena")
struct ArenaSpaceTests {
    private static let page = 4_096
    private static let steps = TestVariable.number("ARENA_STEPS").map { Int(clamping: $0) } ?? 20_000

    /// The same as sets of pages.
    private struct Model {
        var used: Set<Int> = []
        var everUsed: Set<Int> = []
        var live: [Range<Int>] = []
        var released: [Range<Int>] = []

        mutating func release(at index: Int) -> Range<Int> {
            let range = live.remove(at: index)
            released.append(range)
            return range
        }
    }

    @Test(
        "No page is used twice, and the pages in memory stay within the limit, whatever is allocated and released",
        arguments: Seeds.fixed(3))
    func histories(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let limit = Int.random(in: 1...100, using: &random) * Self.page + Int.random(in: 0..<Self.page, using: &random)
        var space = ArenaSpace(limit: limit, pageBytes: Self.page)
        var model = Model()
        var full = 0
        for step in 0..<Self.steps {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let count = Int.random(in: 1...(20 * Self.page), using: &random)
                let pages = (count + Self.page - 1) / Self.page
                let range = space.allocate(count)
                try #require((range != nil) == ((model.used.count + pages) * Self.page <= limit), "seed \(seed), step \(step)")
                guard let range else {
                    full += 1
                    continue
                }
                try #require(range.lowerBound % Self.page == 0 && range.count == pages * Self.page, "seed \(seed), step \(step)")
                let numbers = Set(range.lowerBound / Self.page..<range.upperBound / Self.page)
                try #require(numbers.isDisjoint(with: model.everUsed), "seed \(seed), step \(step)")
                model.used.formUnion(numbers)
                model.everUsed.formUnion(numbers)
                model.live.append(range)
            case 2:
                guard !model.live.isEmpty else { continue }
                space.release(model.release(at: Int.random(in: 0..<model.live.count, using: &random)))
            default:
                let range = space.takeReleased()
                try #require((range == nil) == model.released.isEmpty, "seed \(seed), step \(step)")
                guard let range else { continue }
                let index = try #require(model.released.firstIndex(of: range), "seed \(seed), step \(step)")
                model.released.remove(at: index)
                // Some ranges cannot be removed. They stay in memory.
                guard Int.random(in: 0..<1_000, using: &random) > 0 else { continue }
                space.remove(range)
                model.used.subtract(range.lowerBound / Self.page..<range.upperBound / Self.page)
            }
            try #require(space.bytes == model.used.count * Self.page, "seed \(seed), step \(step)")
        }
        #expect(full > 0)
    }

    @Test("A body that is larger than the limit or than all numbers gets no range")
    func huge() {
        var space = ArenaSpace(limit: 10 * Self.page, pageBytes: Self.page)
        #expect(space.allocate(.max) == nil && space.allocate(10 * Self.page + 1) == nil && space.bytes == 0)
        #expect(space.allocate(10 * Self.page) == 0..<(10 * Self.page) && space.allocate(1) == nil)
    }
}
