import TestSupport
import Testing

@Suite("A pool through random events")
struct PoolPropertyTests {
    @Test("keeps what it promises: order, one answer each, the maximum, and no connection lost or leased twice")
    func promises() {
        let first = UInt64.random(in: 0 ... .max / 2)
        for seed in first..<first + 100 {
            let world = PoolWorld(seed: seed)
            world.live(events: 500)
            #expect(world.violations == [], "seed \(seed)")
            if !world.violations.isEmpty { return }
        }
    }

    @Test("keeps them through long lives that every run repeats", arguments: Seeds.fixed(2))
    func longLives(seed: UInt64) {
        let world = PoolWorld(seed: seed)
        world.live(events: 2_000)
        #expect(world.violations == [])
    }
}
