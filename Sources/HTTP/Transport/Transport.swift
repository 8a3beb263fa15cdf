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
    /// Whether parts of files are sent without a copy.
    var sendsFiles: Bool { get }
    /// Sends as much as the socket accepts of the vectors, and then of a part of a file. A transport that sends no files
    /// gets no part.
    func write(_ vectors: UnsafeMutableBufferPointer<iovec>, then part: FilePart?) -> TransportProgress
    /// Sends the end of the protocol, if it has one.
    func finish()
}

extension Transport {
    var sendsFiles: Bool { false }

    func write(_ vectors: UnsafeMutableBufferPointer<iovec>, then part: FilePart?) -> TransportProgress {
        precondition(part == nil, "this transport sends no files")
        return unsafe write(vectors)
    }
}

enum TransportProgress {
    case moved(Int)
    /// The call must be repeated with the same bytes when the socket is ready.
    case blocked(on: Readiness)
    /// The other side has closed its direction.
    case ended
    case failed
}

/// The transport of a connection of the server. The compiler knows the code of each case, so a call is direct and counts
/// no reference, unlike one through `any Transport`.
enum ServerTransport {
    case plain(PlainTransport)
    case encrypted(TLSTransport)
    /// Another transport, such as one with which a test blocks a write.
    case other(any Transport)

    var descriptor: Int32 {
        switch self {
        case .plain(let transport): transport.descriptor
        case .encrypted(let transport): transport.descriptor
        case .other(let transport): transport.descriptor
        }
    }

    var isEncrypted: Bool {
        switch self {
        case .plain: false
        case .encrypted: true
        case .other(let transport): transport.isEncrypted
        }
    }

    var applicationProtocol: String? {
        switch self {
        case .plain: nil
        case .encrypted(let transport): transport.applicationProtocol
        case .other(let transport): transport.applicationProtocol
        }
    }

    var hasBufferedInput: Bool {
        switch self {
        case .plain: false
        case .encrypted(let transport): transport.hasBufferedInput
        case .other(let transport): transport.hasBufferedInput
        }
    }

    func prepare() -> TransportProgress {
        switch self {
        case .plain(let transport): transport.prepare()
        case .encrypted(let transport): transport.prepare()
        case .other(let transport): transport.prepare()
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress {
        switch self {
        case .plain(let transport): unsafe transport.read(into: buffer)
        case .encrypted(let transport): unsafe transport.read(into: buffer)
        case .other(let transport): unsafe transport.read(into: buffer)
        }
    }

    /// Sends as much of the output as the transport accepts, after the pending output of earlier turns.
    func flush(_ output: OutputBuffer, _ backlog: inout PendingOutput) -> TransportProgress {
        switch self {
        case .plain(let transport): output.flush(through: transport, backlog: &backlog)
        case .encrypted(let transport): output.flush(through: transport, backlog: &backlog)
        case .other(let transport): output.flush(through: transport, backlog: &backlog)
        }
    }

    func finish() {
        switch self {
        case .plain(let transport): transport.finish()
        case .encrypted(let transport): transport.finish()
        case .other(let transport): transport.finish()
        }
    }

    /// Frees memory that only a busy connection needs. Call it a few times a second.
    func sweep() { if case .encrypted(let transport) = self { transport.sweep() } }
}
