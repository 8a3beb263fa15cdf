import Glibc
import Host

extension Descriptor {
    private static func socket(_ family: Int32) throws(HostError) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(family, kind, 0)
        guard number >= 0 else { throw HostError(errnoOf: "open", "a socket") }
        return Descriptor(owning: number)
    }

    /// Bound to a port of the loopback interface, zero for a free one; several may share it while one of them at most listens.
    static func bound(toPort port: UInt16) throws(HostError) -> Descriptor {
        let descriptor = try socket(AF_INET)
        var yes: Int32 = 1
        _ = setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw HostError(errnoOf: "bind", "port \(port)") }
        return descriptor
    }

    static func listening(onPort port: UInt16) throws(HostError) -> Descriptor {
        let descriptor = try bound(toPort: port)
        guard listen(descriptor.number, 64) == 0 else { throw HostError(errnoOf: "listen on", "port \(port)") }
        return descriptor
    }

    /// Connected to the socket at a path, which takes no time where somebody listens there.
    static func connected(to path: String) throws(HostError) -> Descriptor {
        let descriptor = try socket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        precondition(path.utf8.count < room, "the path of a socket is short")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw HostError(errnoOf: "connect to", path) }
        return descriptor
    }

    /// The next client that waits, or nil.
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
