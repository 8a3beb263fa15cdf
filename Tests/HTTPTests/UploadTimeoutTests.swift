import EventLoop
import Testing

@testable import HTTP

@Suite("The patience with an upload")
struct UploadTimeoutTests {
    private let start = Deadline.now

    private func moment(_ seconds: Int) -> Deadline { start.advanced(by: .seconds(seconds)) }

    @Test("counts the time in which the client could send, and begins anew with enough bytes")
    func counts() {
        var patience = UploadTimeout(.seconds(30))
        #expect(patience.wait(at: moment(0)) == moment(30) && patience.wait(at: moment(10)) == moment(30))
        patience.stop(with: 1, at: moment(20))
        // Nobody has asked for more meanwhile.
        #expect(patience.wait(at: moment(100)) == moment(110))
        patience.stop(with: UploadTimeout.leastBytes - 2, at: moment(105))
        #expect(patience.wait(at: moment(105)) == moment(110))
        patience.stop(with: 1, at: moment(109))
        #expect(patience.wait(at: moment(200)) == moment(230))
    }
}
