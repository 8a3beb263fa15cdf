import EventLoop
import Testing

@testable import HTTP

@Suite("The timeout of an upload")
struct UploadTimeoutTests {
    private let start = Deadline.now

    private func time(_ seconds: Int) -> Deadline { start.advanced(by: .seconds(seconds)) }

    @Test("The timeout counts the time in which the client could send, and starts again after enough bytes")
    func counts() {
        var timeout = UploadTimeout(.seconds(30))
        #expect(timeout.wait(at: time(0)) == time(30) && timeout.wait(at: time(10)) == time(30))
        timeout.stop(with: 1, at: time(20))
        // The server has not asked for more in the meantime.
        #expect(timeout.wait(at: time(100)) == time(110))
        timeout.stop(with: UploadTimeout.minBytes - 2, at: time(105))
        #expect(timeout.wait(at: time(105)) == time(110))
        timeout.stop(with: 1, at: time(109))
        #expect(timeout.wait(at: time(200)) == time(230))
    }
}
