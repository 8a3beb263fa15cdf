import EventLoop
import Testing

@testable import API

@Suite("Counting refused tokens")
struct FailureThrottleTests {
    private let start = Deadline.now

    private func address(_ number: Int) -> AddressBlock { AddressBlock("192.0.\(number / 256).\(number % 256)") }

    @Test("lets an address go on when its window is over")
    func window() {
        var throttle = FailureThrottle(.init(failures: 2, window: .seconds(60)))
        throttle.noteFailure(of: address(1), at: start)
        #expect(throttle.wait(of: address(1), at: start) == nil)
        throttle.noteFailure(of: address(1), at: start.advanced(by: .seconds(10)))
        #expect(throttle.wait(of: address(1), at: start.advanced(by: .seconds(10))) == 51)
        #expect(throttle.wait(of: address(2), at: start) == nil)
        #expect(throttle.wait(of: address(1), at: start.advanced(by: .seconds(60))) == nil)
        throttle.noteFailure(of: address(1), at: start.advanced(by: .seconds(60)))
        #expect(throttle.wait(of: address(1), at: start.advanced(by: .seconds(60))) == nil)
    }

    @Test("remembers so many addresses and no more, the latest ones surely")
    func bound() {
        var throttle = FailureThrottle(.init(failures: 1, window: .seconds(60), addresses: 100))
        for number in 0..<10_000 {
            throttle.noteFailure(of: address(number), at: start)
            #expect(throttle.count <= 200)
        }
        #expect(throttle.wait(of: address(9_999), at: start) != nil && throttle.wait(of: address(9_901), at: start) != nil)
        #expect(throttle.wait(of: address(0), at: start) == nil)
    }

    @Test("takes a /64 of IPv6 for one, and IPv4 as it is, in whichever form")
    func blocks() {
        #expect(
            AddressBlock("2001:db8::1") == AddressBlock("2001:db8::ffff:1")
                && AddressBlock("2001:db8::1") != AddressBlock("2001:db8:0:1::1"))
        #expect(AddressBlock("192.0.2.1") == AddressBlock("::ffff:192.0.2.1") && AddressBlock("192.0.2.1") != AddressBlock("192.0.2.2"))
        #expect(AddressBlock("unix") == .local)
    }
}
