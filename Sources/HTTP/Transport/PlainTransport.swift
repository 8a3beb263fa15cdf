internal import EventLoop
internal import Glibc
internal import Host

final class PlainTransport: Transport {
    private let socket: Descriptor

    init(_ socket: consuming Descriptor) { self.socket = socket }

    var descriptor: Int32 { socket.number }
    var isEncrypted: Bool { false }
    var applicationProtocol: String? { nil }
    var hasBufferedInput: Bool { false }

    func prepare() -> TransportProgress { .moved(0) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress {
        let count = unsafe recv(socket.number, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        return count == 0 ? .ended : Self.blockedOrFailed(on: .readable)
    }

    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress {
        var message = unsafe msghdr()
        unsafe message.msg_iov = vectors.baseAddress
        unsafe message.msg_iovlen = vectors.count
        let count = unsafe sendmsg(socket.number, &message, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
        return count >= 0 ? .moved(count) : Self.blockedOrFailed(on: .writable)
    }

    func finish() { _ = shutdown(socket.number, Int32(SHUT_WR)) }

    private static func blockedOrFailed(on readiness: Readiness) -> TransportProgress {
        switch errno {
        case EAGAIN, EWOULDBLOCK, EINTR: .blocked(on: readiness)
        default: .failed
        }
    }
}
