internal import EventLoop

final class IncomingBody {
    let reader: BodyReader
    let upload: Upload
    var timeout: UploadTimeout
    /// Whether the handler has not requested the body yet, so reading is paused.
    var isHeldBack: Bool
    /// Whether the client waits for 100 Continue.
    var expectsContinue: Bool

    init(_ reader: BodyReader, _ upload: Upload, timeout: Duration, isHeldBack: Bool = false, expectsContinue: Bool = false) {
        self.reader = reader
        self.upload = upload
        self.timeout = UploadTimeout(timeout)
        self.isHeldBack = isHeldBack
        self.expectsContinue = expectsContinue
    }
}

/// The timeout of an upload. It restarts after each `minBytes`, so that a client that sends single bytes does not stay.
/// Time in which the client cannot send does not count.
struct UploadTimeout {
    static let minBytes = 16_384

    private let whole: Duration
    private var left: Duration
    private var missing = Self.minBytes
    private var start: Deadline?

    init(_ whole: Duration) {
        self.whole = whole
        left = whole
    }

    /// Returns the deadline of the current wait, which starts now if none is in progress.
    mutating func wait(at now: Deadline = .now) -> Deadline {
        let start = start ?? now
        self.start = start
        return start.advanced(by: left)
    }

    /// Ends the wait, after `count` bytes have arrived.
    mutating func stop(with count: Int = 0, at now: Deadline = .now) {
        if let start { left -= now.duration(since: start) }
        start = nil
        missing -= count
        guard missing <= 0 else { return }
        left = whole
        missing = Self.minBytes
    }
}
