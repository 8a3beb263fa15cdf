import Host
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
}
