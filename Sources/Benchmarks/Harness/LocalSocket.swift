import Foundation

/// Connections to local ports, for clients that receive without an event loop.
enum LocalSocket {
    /// Returns a connected socket that does not block. `window` limits the unread bytes that the system buffers, approximately.
    static func connected(to port: Int, window: Int32? = nil) throws -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw failure("socket") }
        if var window { setsockopt(number, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0, fcntl(number, F_SETFL, O_NONBLOCK) == 0 else {
            defer { close(number) }
            throw failure("connect")
        }
        var isOn: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return number
    }

    static func failure(_ call: String) -> BenchmarkFailure {
        BenchmarkFailure(reason: "\(call): \(String(cString: strerror(errno)))")
    }
}
