import EventLoop
import Glibc
import Host

/// A connected, nonblocking socket on the thread of a proxy's event loop.
///
/// It is closed only with its last reference, because a task may be about to wait for its descriptor.
final class StreamSocket {
    private let loop: EventLoop
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Receives bytes, or returns nil at the end of the stream.
    func receive() async throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            if count >= 0 { return count == 0 ? nil : Array(buffer.prefix(count)) }
            try await waitOrThrow(.readable)
        }
    }

    func send(_ bytes: ArraySlice<UInt8>) async throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count >= 0 { rest = rest.dropFirst(count) } else { try await waitOrThrow(.writable) }
        }
    }

    /// Closes the sending side.
    func finishWriting() { _ = shutdown(descriptor.number, Int32(SHUT_WR)) }

    /// Closes both directions. The other side of a TCP connection sees a reset.
    func reset() {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        if connect(descriptor.number, &nowhere, socklen_t(MemoryLayout<sockaddr>.size)) != 0 {
            _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
        }
    }

    private func waitOrThrow(_ interest: Readiness) async throws {
        guard errno == EAGAIN else { throw HostError(errnoOf: "use", "a proxied socket") }
        try await loop.wait(for: interest, on: descriptor.number, until: .never)
    }
}
