internal import Glibc

/// The path of a socket as the system calls take it.
struct UnixAddress {
    private var address = sockaddr_un()

    /// A path of more than 107 bytes is cut off; settings refuse it.
    init(_ path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (place, byte) in path.utf8.prefix(target.count - 1).enumerated() { unsafe target[place] = byte }
        }
    }

    mutating func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
