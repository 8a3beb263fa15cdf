internal import EventLoop
internal import Glibc

/// The byte stream of one connection. It belongs to the thread of its event loop.
protocol Transport: AnyObject {
    var descriptor: Int32 { get }
    var isEncrypted: Bool { get }
    /// The protocol negotiated with ALPN, `h2` or `http/1.1`, or nil if none was.
    var applicationProtocol: String? { get }

    /// Whether input is available although the socket is not ready.
    var hasBufferedInput: Bool { get }

    /// Sets the connection up. It does nothing if the connection is ready.
    func prepare() -> TransportProgress
    /// Receives input.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress
    /// Sends as much as the socket accepts.
    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress
    /// Sends the end of the protocol, if it has one.
    func finish()
}

enum TransportProgress {
    case moved(Int)
    /// The call must be repeated with the same bytes when the socket is ready.
    case blocked(on: Readiness)
    /// The other side has closed its direction.
    case ended
    case failed
}
