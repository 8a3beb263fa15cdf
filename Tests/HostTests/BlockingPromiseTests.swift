import Host
import TestSupport
import Testing

@Suite("A blocking promise")
struct BlockingPromiseTests {
    @Test("The value is transferred whichever side comes first")
    func brings() throws {
        for round in 0..<200 {
            let there = BlockingPromise<Int>()
            let back = BlockingPromise<Int>()
            if round.isMultiple(of: 2) { there.put(round) }
            try Thread.start { back.put(there.take() + 1) }
            if !round.isMultiple(of: 2) { there.put(round) }
            #expect(back.take() == round + 1)
        }
    }

    @Test("A wait ends at its limit, but not before", .onOwnThread)
    func limited() throws {
        let never = BlockingPromise<Int>()
        let start = ContinuousClock.now
        #expect(never.take(within: .milliseconds(30)) == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(30))

        let late = BlockingPromise<Int>()
        try Thread.start { late.put(7) }
        #expect(late.take(within: .seconds(60)) == 7)
    }
}
