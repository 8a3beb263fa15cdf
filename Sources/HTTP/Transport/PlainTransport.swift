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
    var sendsFiles: Bool { true }

    func prepare() -> TransportProgress { .moved(0) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportProgress {
        let count = unsafe recv(socket.number, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        return count == 0 ? .ended : Self.blockedOrFailed(on: .readable)
    }

    func write(_ vectors: UnsafeMutableBufferPointer<iovec>) -> TransportProgress { unsafe write(vectors, flags: MSG_NOSIGNAL) }

    func write(_ vectors: UnsafeMutableBufferPointer<iovec>, then part: FilePart?) -> TransportProgress {
        guard let part else { return unsafe write(vectors) }
        var moved = 0
        if !vectors.isEmpty {
            let total = unsafe vectors.reduce(0) { unsafe $0 + $1.iov_len }
            // The head waits for the body, so that both share packets.
            let progress = unsafe write(vectors, flags: MSG_NOSIGNAL | MSG_MORE)
            guard case .moved(total) = progress else { return progress }
            moved = total
        }
        let count = part.send(to: socket.number)
        // If some bytes are sent, the next call reports why the others are not.
        if count > 0 || moved > 0 { return .moved(moved + max(0, count)) }
        return count == 0 ? .failed : Self.blockedOrFailed(on: .writable)
    }

    private func write(_ vectors: UnsafeMutableBufferPointer<iovec>, flags: Int) -> TransportProgress {
        let flags = Int32(truncatingIfNeeded: flags)
        let count: Int
        if vectors.count == 1 {
            // Costs less than a message, which the kernel reads from the memory of the process.
            unsafe count = send(socket.number, vectors[0].iov_base, vectors[0].iov_len, flags)
        } else {
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = vectors.count
            unsafe count = sendmsg(socket.number, &message, flags)
        }
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
