import Host
import TestSupport
import Testing

@Suite("A handover between threads")
struct HandoverTests {
    @Test("brings the value, whichever side comes first")
    func brings() throws {
        for round in 0..<200 {
            let there = Handover<Int>()
            let back = Handover<Int>()
            if round.isMultiple(of: 2) { there.put(round) }
            try Thread.start { back.put(there.take() + 1) }
            if !round.isMultiple(of: 2) { there.put(round) }
            #expect(back.take() == round + 1)
        }
    }

    @Test("is given up after the limit, and not before the value could come", .onOwnThread)
    func limited() throws {
        let never = Handover<Int>()
        let start = ContinuousClock.now
        #expect(never.take(within: .milliseconds(30)) == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(30))

        let late = Handover<Int>()
        try Thread.start { late.put(7) }
        #expect(late.take(within: .seconds(60)) == 7)
    }
}
