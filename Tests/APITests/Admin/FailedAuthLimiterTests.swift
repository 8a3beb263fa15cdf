import EventLoop
import Testing

@testable import API

@Suite("The limit of failed authentications")
struct FailedAuthLimiterTests {
    private let start = Deadline.now

    private func address(_ number: Int) -> ClientNetwork { ClientNetwork("192.0.\(number / 256).\(number % 256)") }

    private func fail(_ throttle: inout FailedAuthLimiter, _ number: Int, after duration: Duration = .zero) -> Int? {
        let now = start.advanced(by: duration)
        if let seconds = throttle.start(for: address(number), at: now) { return seconds }
        throttle.end(for: address(number), isRefused: true, at: now)
        return nil
    }

    @Test("An address may continue when its window is over")
    func window() {
        var throttle = FailedAuthLimiter(.init(failures: 2, window: .seconds(60)))
        #expect(fail(&throttle, 1) == nil)
        #expect(fail(&throttle, 1, after: .seconds(10)) == nil)
        #expect(fail(&throttle, 1, after: .seconds(10)) == 51)
        #expect(fail(&throttle, 2, after: .seconds(10)) == nil)
        #expect(fail(&throttle, 1, after: .seconds(60)) == nil)
        #expect(fail(&throttle, 1, after: .seconds(60)) == nil)
        #expect(fail(&throttle, 1, after: .seconds(60)) == 61)
    }

    @Test("After a failure, pending attempts count as failures until they succeed")
    func attempts() {
        var throttle = FailedAuthLimiter(.init(failures: 3, window: .seconds(60)))
        let one = address(1)
        for _ in 0..<10 { #expect(throttle.start(for: one, at: start) == nil) }
        throttle.end(for: one, isRefused: true, at: start)
        #expect(throttle.start(for: one, at: start) == 61)
        for _ in 0..<7 { throttle.end(for: one, isRefused: false, at: start) }
        #expect(throttle.start(for: one, at: start) == 61)
        throttle.end(for: one, isRefused: false, at: start)
        #expect(throttle.start(for: one, at: start) == nil)
        #expect(throttle.start(for: one, at: start) == 61)
        var quiet = FailedAuthLimiter()
        #expect(quiet.start(for: one, at: start) == nil && quiet.count == 1)
        quiet.end(for: one, isRefused: false, at: start)
        #expect(quiet.count == 0)
    }

    @Test("The number of remembered addresses is limited, and the latest ones are kept")
    func bound() {
        var throttle = FailedAuthLimiter(.init(failures: 1, window: .seconds(60), addresses: 100))
        for number in 0..<10_000 {
            _ = fail(&throttle, number)
            #expect(throttle.count <= 200)
        }
        #expect(fail(&throttle, 9_999) != nil && fail(&throttle, 9_901) != nil)
        #expect(fail(&throttle, 0) == nil)
    }

    @Test("An IPv6 network of 64 bits counts as one address, and IPv4 addresses count alone in every notation")
    func blocks() {
        #expect(
            ClientNetwork("2001:db8::1") == ClientNetwork("2001:db8::ffff:1")
                && ClientNetwork("2001:db8::1") != ClientNetwork("2001:db8:0:1::1"))
        #expect(ClientNetwork("192.0.2.1") == ClientNetwork("::ffff:192.0.2.1") && ClientNetwork("192.0.2.1") != ClientNetwork("192.0.2.2"))
        #expect(ClientNetwork("unix") == .local)
    }
}
