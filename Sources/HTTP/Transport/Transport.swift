internal import EventLoop
internal import Glibc

/// The byte stream of one connection. It belongs to the thread of its event loop.
protocol Transport: AnyObject {
    var descriptor: Int32 { get }
    var isEncrypted: Bool { get }
    /// The protocol negotiated with ALPN, `h2` or `http/1.1`, or nil if none was.
    var applicationProtocol: String? { get }

    /// Whether something can be read without the socket being ready.
    var hasBufferedInput: Bool { get }

    /// Sets the connection up; moves nothing once it is.
    func prepare() -> TransportProgress
    /// Takes in what has come.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress
    /// Sends as much as there is room for.
    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress
    /// Says goodbye where the protocol has a word for it.
    func finish()
}

enum TransportProgress {
    case moved(Int)
    /// To be called again with the same once the socket is ready.
    case blocked(on: Readiness)
    /// The other side has ended its part.
    case ended
    case failed
}
