internal import Glibc
package import Host

package final class ListeningSocket: Sendable {
    package enum Endpoint: Sendable, Hashable {
        /// An address or a name of this machine. nil listens on all addresses, and port 0 lets the system choose.
        case tcp(host: String?, port: Int)
        case unix(String)
    }

    let descriptor: Descriptor
    /// Whether the socket, with its accept queue, survives the end of this process.
    let isInherited: Bool
    /// The chosen or requested port; nil if it is a Unix socket.
    package let port: Int?

    /// Takes over a listening socket from a service manager.
    package init(adopting number: Int32) throws(HostError) {
        let status = fcntl(number, F_GETFL)
        guard status >= 0, fcntl(number, F_SETFL, status | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else {
            throw HostError(errnoOf: "listen on", "descriptor \(number)")
        }
        descriptor = Descriptor(owning: number)
        isInherited = true
        port = Self.port(of: number)
        Self.setNoDelay(number)
    }

    /// Listens on an address. With `isShared`, other sockets of the same kind can listen on the same address, and the
    /// kernel chooses between them.
    package init(_ endpoint: Endpoint, isShared: Bool) throws(HostError) {
        isInherited = false
        switch endpoint {
        case .tcp(let host, let port):
            descriptor = try Self.openTCP(host, port, isShared: isShared)
            self.port = Self.port(of: descriptor.number)
        case .unix(let path):
            descriptor = try Self.openUnix(path)
            port = nil
        }
    }

    private static func openTCP(_ host: String?, _ port: Int, isShared: Bool) throws(HostError) -> Descriptor {
        let subject = "\(host ?? "*"):\(port)"
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host ?? "::", String(port), &hints, &list) == 0, let entry = unsafe list else {
            throw HostError(.notFound, "listen on", subject)
        }
        defer { unsafe freeaddrinfo(list) }
        let number = unsafe socket(entry.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw HostError(errnoOf: "listen on", subject) }
        let descriptor = Descriptor(owning: number)
        set(number, SOL_SOCKET, SO_REUSEADDR, 1)
        if isShared { set(number, SOL_SOCKET, SO_REUSEPORT, 1) }
        if unsafe entry.pointee.ai_family == AF_INET6 { set(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == nil ? 0 : 1) }
        setNoDelay(number)
        guard unsafe bind(number, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0, listen(number, 4_096) == 0 else {
            throw HostError(errnoOf: "listen on", subject)
        }
        return descriptor
    }

    /// Removes a Unix socket that no process listens on.
    private static func openUnix(_ path: String) throws(HostError) -> Descriptor {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw HostError(errnoOf: "listen on", path) }
        let descriptor = Descriptor(owning: number)
        var address = UnixAddress(path)
        if unsafe address.withPointer({ unsafe connect(number, $0, $1) }) == 0 || errno == EAGAIN {
            throw HostError(.init(rawValue: EADDRINUSE), "listen on", path)
        }
        if errno == ECONNREFUSED { _ = unsafe unlink(path) }
        guard unsafe address.withPointer({ unsafe bind(number, $0, $1) }) == 0, listen(number, 4_096) == 0 else {
            throw HostError(errnoOf: "listen on", path)
        }
        return descriptor
    }

    /// Disables the delay of small packets, so that the parts of a response do not wait for each other. Connections inherit the option.
    private static func setNoDelay(_ number: Int32) { set(number, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    private static func set(_ number: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(of number: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(number, $0, &length) }
        }
        return status == 0 ? SocketAddress(storage).port : nil
    }
}
