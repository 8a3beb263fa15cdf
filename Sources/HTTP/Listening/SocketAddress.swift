internal import Glibc

struct SocketAddress {
    private let storage: sockaddr_storage

    init(_ storage: sockaddr_storage) { self.storage = storage }

    /// The address without the port, or `unix` if it is a Unix socket.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = Int32(storage.ss_family)
        let isFound = unsafe withUnsafePointer(to: storage) { pointer in
            switch family {
            case AF_INET:
                unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    unsafe withUnsafePointer(to: address.pointee.sin_addr) {
                        unsafe inet_ntop(family, $0, &text, socklen_t(text.count)) != nil
                    }
                }
            case AF_INET6:
                unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    unsafe withUnsafePointer(to: address.pointee.sin6_addr) {
                        unsafe inet_ntop(family, $0, &text, socklen_t(text.count)) != nil
                    }
                }
            default: false
            }
        }
        guard isFound else { return "unix" }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
    }

    /// The port; nil if it is a Unix socket.
    var port: Int? {
        unsafe withUnsafePointer(to: storage) { pointer in
            switch Int32(storage.ss_family) {
            case AF_INET:
                unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: unsafe $0.pointee.sin_port)) }
            case AF_INET6:
                unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { Int(UInt16(bigEndian: unsafe $0.pointee.sin6_port)) }
            default: nil
            }
        }
    }
}

/// The path of a socket in the form of the system calls.
struct UnixAddress {
    private var address = sockaddr_un()

    /// Truncates a path of more than 107 bytes. Settings reject such a path.
    init(_ path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in path.utf8.prefix(target.count - 1).enumerated() { unsafe target[index] = byte }
        }
    }

    mutating func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
