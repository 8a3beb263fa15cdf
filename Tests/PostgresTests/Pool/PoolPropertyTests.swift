import TestSupport
import Testing

@Suite("A pool under random events")
struct PoolPropertyTests {
    @Test("The pool keeps its guarantees: order, one result each, the maximum, and no connection lost or leased twice")
    func promises() {
        for number in 0..<100 as Range<UInt64> {
            let seed = Seeds.fresh &+ number
            let world = PoolWorld(seed: seed)
            world.live(events: 500)
            #expect(world.violations == [], "seed \(seed)")
            if !world.violations.isEmpty { return }
        }
    }

    @Test("The pool keeps its guarantees through long lives with fixed seeds", arguments: Seeds.fixed(2))
    func longLives(seed: UInt64) {
        let world = PoolWorld(seed: seed)
        world.live(events: 2_000)
        #expect(world.violations == [], "seed \(seed)")
    }
}
