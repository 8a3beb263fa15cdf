import Glibc
import Host

extension Descriptor {
    private static func socket(_ family: Int32) throws(HostError) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(family, kind, 0)
        guard number >= 0 else { throw HostError(errnoOf: "open", "a socket") }
        return Descriptor(owning: number)
    }

    /// Returns a socket that is bound to a loopback port, or to a free one for zero. Several sockets may share a port if at most one
    /// listens.
    static func bound(toPort port: UInt16) throws(HostError) -> Descriptor {
        let descriptor = try socket(AF_INET)
        var yes: Int32 = 1
        _ = setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let status = withAddress(of: .port(port)) { bind(descriptor.number, $0, $1) }
        guard status == 0 else { throw HostError(errnoOf: "bind", "port \(port)") }
        return descriptor
    }

    static func listening(onPort port: UInt16) throws(HostError) -> Descriptor {
        let descriptor = try bound(toPort: port)
        guard listen(descriptor.number, 64) == 0 else { throw HostError(errnoOf: "listen on", "port \(port)") }
        return descriptor
    }

    /// Returns a socket that is connected or connecting. Sending and receiving wait for the connection.
    static func connected(to server: ServerAddress) throws(HostError) -> Descriptor {
        let descriptor = try socket(server.family)
        let status = withAddress(of: server) { connect(descriptor.number, $0, $1) }
        guard status == 0 || errno == EINPROGRESS else { throw HostError(errnoOf: "connect to", "\(server)") }
        return descriptor
    }

    private static func withAddress(of server: ServerAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        func lend(_ address: some Any) -> Int32 {
            withUnsafeBytes(of: address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { pointers in
                    guard let start = pointers.baseAddress else { preconditionFailure("an address has bytes") }
                    return body(start, socklen_t(bytes.count))
                }
            }
        }
        switch server {
        case .port(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return lend(address)
        case .socket(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), "the path of a socket is short")
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return lend(address)
        }
    }

    /// Accepts the next waiting client, or returns nil.
    func accept() -> Descriptor? {
        let number = Glibc.accept(number, nil, nil)
        guard number >= 0 else { return nil }
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        _ = setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return Descriptor(owning: number)
    }

    var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
