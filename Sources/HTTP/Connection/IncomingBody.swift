internal import EventLoop

final class IncomingBody {
    let reader: BodyReader
    let upload: Upload
    var timeout: UploadTimeout
    /// Whether nobody wants it yet, so that no more of it is read.
    var isHeldBack: Bool
    /// Whether its client waits to be told that somebody wants it.
    var expectsContinue: Bool

    init(_ reader: BodyReader, _ upload: Upload, timeout: Duration, isHeldBack: Bool = false, expectsContinue: Bool = false) {
        self.reader = reader
        self.upload = upload
        self.timeout = UploadTimeout(timeout)
        self.isHeldBack = isHeldBack
        self.expectsContinue = expectsContinue
    }
}

/// How long the client of an upload is still waited for: it has the whole time again with every so many bytes, so that one which sends a byte now
/// and then does not stay. Time in which it cannot send does not count.
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

    /// When the time is over, from now on or from when the wait began.
    mutating func wait(at now: Deadline = .now) -> Deadline {
        let start = start ?? now
        self.start = start
        return start.advanced(by: left)
    }

    /// So many bytes have come, or nothing more is waited for.
    mutating func stop(with count: Int = 0, at now: Deadline = .now) {
        if let start { left -= now.duration(since: start) }
        start = nil
        missing -= count
        guard missing <= 0 else { return }
        left = whole
        missing = Self.minBytes
    }
}
