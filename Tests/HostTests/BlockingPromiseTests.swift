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
            if round.isMultiple(of: 2) { there.fulfill(round) }
            try Thread.start { back.fulfill(there.wait() + 1) }
            if !round.isMultiple(of: 2) { there.fulfill(round) }
            #expect(back.wait() == round + 1)
        }
    }

    @Test("A wait ends at its limit, but not before", .onOwnThread)
    func limited() throws {
        let never = BlockingPromise<Int>()
        let start = ContinuousClock.now
        #expect(never.wait(within: .milliseconds(30)) == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(30))

        let late = BlockingPromise<Int>()
        try Thread.start { late.fulfill(7) }
        #expect(late.wait(within: .seconds(60)) == 7)
    }
}
