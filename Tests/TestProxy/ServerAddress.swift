import Glibc

/// The address of a server on this machine.
package enum ServerAddress: Sendable {
    /// The path of a Unix socket.
    case socket(String)
    /// A port of the loopback interface.
    case port(UInt16)

    var family: Int32 {
        switch self {
        case .socket: AF_UNIX
        case .port: AF_INET
        }
    }
}
