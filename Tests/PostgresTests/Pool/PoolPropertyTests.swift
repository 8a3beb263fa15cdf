import TestSupport
import Testing

@Suite("A pool through random events")
struct PoolPropertyTests {
    @Test("keeps what it promises: order, one answer each, the maximum, and no connection lost or leased twice")
    func promises() {
        for number in 0..<100 as Range<UInt64> {
            let seed = Seeds.fresh &+ number
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
        #expect(world.violations == [], "seed \(seed)")
    }
}
