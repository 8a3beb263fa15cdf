import EventLoop
import Foundation
import Host

/// A connection to a local port that sends arbitrary bytes. It belongs to its loop.
final class ClientSocket {
    private let number: Int32
    private let loop: EventLoop
    /// The time at which any wait fails.
    private let deadline: Deadline

    /// Connects to a port. `window` limits the unread bytes that the system buffers, approximately.
    init(port: Int, on loop: EventLoop, window: Int32? = nil, timeout: Duration = .seconds(30)) async throws {
        self.loop = loop
        deadline = .after(timeout)
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw HostError(errnoOf: "open", "a socket") }
        if var window { setsockopt(number, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 || errno == EINPROGRESS else { throw HostError(errnoOf: "connect to", "port \(port)") }
    }

    deinit { close(number) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { sent += count }
            if count <= 0 { try await wait(for: .writable, "send to") }
        }
    }

    /// Sends a text in parts of a few bytes.
    func send(_ text: String, inPartsOf size: Int, every pause: Duration) async throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try await send(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            try await loop.sleep(until: .after(pause))
        }
    }

    /// Receives some bytes, or none at the end.
    func receive(atMost limit: Int = 65_536) async throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(number, $0.baseAddress, $0.count, 0) }
            if count >= 0 { return Array(buffer[..<count]) }
            try await wait(for: .readable, "receive from")
        }
    }

    /// Resets the connection immediately and discards data in transit.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func wait(for readiness: Readiness, _ doing: String) async throws {
        guard errno == EAGAIN || errno == EINTR || errno == ENOTCONN else { throw HostError(errnoOf: doing, "the server") }
        try await loop.wait(for: readiness, on: number, until: deadline)
    }
}
