import Glibc
package import Host

/// A client that sends exactly the given bytes, and waits at most ten seconds for a response.
package final class RawClient: Sendable {
    private let number: Int32

    /// Connects to a port, from the address 127.0.0.`host`. `receiveBuffer` is the approximate size of the kernel's receive buffer, which
    /// is otherwise the default.
    package init(port: Int, from host: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer { setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size)) }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let (own, server) = (Self.address(port: 0, host), Self.address(port: port, 1))
        var status: Int32 = 0
        if host != 1 { status = Self.withPointer(to: own) { bind(number, $0, $1) } }
        if status == 0 { status = Self.withPointer(to: server) { connect(number, $0, $1) } }
        guard status == 0 else { throw HostError(errnoOf: "connect to", "port \(port)") }
    }

    deinit { _ = close(number) }

    /// Returns another descriptor of the socket, which the caller owns.
    package func duplicate() -> Int32 { dup(number) }

    private static func address(port: Int, _ host: UInt8) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = (UInt32(0x7F00_0000) | UInt32(host)).bigEndian
        return address
    }

    private static func withPointer(to address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    package func send(_ text: String) throws(HostError) { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws(HostError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw HostError(errnoOf: "send to", "the server") }
            sent += count
        }
    }

    /// Sends the same bytes repeatedly while this does not block, up to a limit, and returns the number of bytes sent.
    package func fill(with bytes: [UInt8], atMost limit: Int = 64 << 20) -> Int {
        var sent = 0
        while sent < limit {
            let count = bytes[(sent % bytes.count)...].withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// Closes the sending side.
    package func endSending() { shutdown(number, Int32(SHUT_WR)) }

    /// Whether the server's machine reports that the connection no longer exists.
    package func waitForReset() -> Bool {
        // With no requested events, only errors are reported.
        var socket = pollfd(fd: number, events: 0, revents: 0)
        return poll(&socket, 1, 10_000) == 1 && Int32(socket.revents) & POLLERR != 0
    }

    /// Returns some bytes, or none at the end.
    package func receive(atMost limit: Int = 65_536) throws(HostError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = buffer.withUnsafeMutableBytes { recv(number, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw HostError(errnoOf: "receive from", "the server") }
        return Array(buffer[..<count])
    }

    /// Returns everything up to the end of the connection.
    package func receiveAll() throws(HostError) -> String { String(decoding: try receiveAllBytes(), as: UTF8.self) }

    package func receiveAllBytes() throws(HostError) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let some = try receive()
            if some.isEmpty { return all }
            all += some
        }
    }

    /// Returns everything up to the given text.
    package func receive(until end: String, atMost limit: Int = 65_536) throws(HostError) -> String {
        var all: [UInt8] = []
        while !all.suffix(end.utf8.count).elementsEqual(end.utf8) {
            let some = try receive(atMost: limit)
            guard !some.isEmpty else { return String(decoding: all, as: UTF8.self) + "<end>" }
            all += some
        }
        return String(decoding: all, as: UTF8.self)
    }
}
