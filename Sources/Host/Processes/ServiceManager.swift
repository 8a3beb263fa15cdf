internal import Glibc

/// The service manager that started this process and receives its state, by the protocol of `sd_notify`.
package struct ServiceManager: Sendable {
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
        /// A keepalive. Without one for `watchdogTimeout`, the manager ends the process.
        case alive = "WATCHDOG=1"
    }

    private let socket: String
    /// The longest time between two keepalives. nil if the manager expects none.
    package let watchdogTimeout: Duration?

    /// Returns nil if no service manager expects messages of this process.
    ///
    /// `NOTIFY_SOCKET` is an absolute path, or a name in the abstract namespace that begins with `@`.
    package init?(_ environment: [String: String], process: Int32 = SystemInfo.processID) {
        guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
            (2...Self.longestPath).contains(socket.utf8.count)
        else { return nil }
        self.socket = socket
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        watchdogTimeout = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { isMeant && $0 > 0 ? .microseconds($0) : nil }
    }

    /// The size of `sun_path` is 108 bytes. A path ends with NUL.
    private static let longestPath = 107

    /// Sends a state without waiting for the manager to read it.
    package func notify(_ state: State) throws(HostError) {
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw HostError(errnoOf: "open a socket for", socket) }
        let descriptor = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in socket.utf8.enumerated() { unsafe target[index] = byte }
            // An abstract name begins with NUL and ends with the length.
            if socket.hasPrefix("@") { unsafe target[0] = 0 }
        }
        let length = MemoryLayout<sa_family_t>.size + socket.utf8.count + (socket.hasPrefix("@") ? 0 : 1)
        let text = Array(state.rawValue.utf8)
        let count = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                retryingOnInterrupt {
                    unsafe sendto(descriptor.number, text, text.count, Int32(MSG_NOSIGNAL), pointer, socklen_t(length))
                }
            }
        }
        guard count == text.count else { throw HostError(errnoOf: "notify", socket) }
    }
}
