import Glibc

/// Where a server of this machine listens.
package enum ServerAddress: Sendable {
    /// The path of its socket.
    case socket(String)
    /// Of the loopback interface.
    case port(UInt16)

    var family: Int32 {
        switch self {
        case .socket: AF_UNIX
        case .port: AF_INET
        }
    }
}
