import EventLoop
import Testing

@testable import HTTP

@Suite("The memory of handshakes") struct HandshakeMemoryTests {
    @Test("It returns to the system when a burst of connections is over, and at most once a minute")
    func burst() {
        var memory = HandshakeMemory()
        let start = Deadline.now
        func shouldReturn(_ accepted: Int, _ seconds: Int) -> Bool {
            memory.shouldReturn(after: accepted, at: start.advanced(by: .seconds(seconds)))
        }
        #expect(!shouldReturn(HandshakeMemory.burst - 1, 0))
        #expect(!shouldReturn(HandshakeMemory.burst - 1, 2), "too few")
        #expect(!shouldReturn(2_000, 3))
        #expect(!shouldReturn(2_000 + HandshakeMemory.ongoing - 1, 4), "not over yet")
        #expect(!shouldReturn(2_000 + 2 * HandshakeMemory.ongoing, 5), "the burst continues")
        #expect(!shouldReturn(2_000 + 2 * HandshakeMemory.ongoing, 6))
        #expect(shouldReturn(2_000 + 2 * HandshakeMemory.ongoing, 7))
        #expect(!shouldReturn(2_000 + 2 * HandshakeMemory.ongoing, 8), "nothing has come since")
        #expect(!shouldReturn(5_000, 9))
        #expect(!shouldReturn(5_000, 66), "within a minute")
        #expect(shouldReturn(5_000, 67))
        #expect(!shouldReturn(5_000, 130))
    }

    @Test("It stays if as many connections come in an hour, or if several loops ask during a burst")
    func steady() {
        var memory = HandshakeMemory()
        let start = Deadline.now
        func shouldReturn(_ accepted: Int, _ milliseconds: Int) -> Bool {
            memory.shouldReturn(after: accepted, at: start.advanced(by: .milliseconds(milliseconds)))
        }
        for second in 0..<3_600 { #expect(!shouldReturn(second * (HandshakeMemory.ongoing - 1), second * 1_000)) }
        let (later, accepted) = (3_601_000, 3_600 * HandshakeMemory.ongoing + 1_000)
        #expect(!shouldReturn(accepted, later))
        #expect(!shouldReturn(accepted + 1_000, later + 199), "another loop")
        #expect(!shouldReturn(accepted + 1_000, later + 2_000), "the burst continues")
        #expect(shouldReturn(accepted + 1_000, later + 4_000))
        for second in 1..<200 { #expect(!shouldReturn(accepted + 1_000 + 10 * second, later + 4_000 + second * 1_000), "no further burst") }
    }
}
