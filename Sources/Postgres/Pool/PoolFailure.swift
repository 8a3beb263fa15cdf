/// Why a waiter got no connection.
package enum PoolFailure: Sendable, Equatable, CustomStringConvertible {
    /// All connections were in use until the deadline.
    case deadlinePassed
    /// The server could not be reached, and the deadline passed meanwhile.
    case serverAway
    /// The server takes nobody with these credentials.
    case refused
    case queueFull
    case cancelled
    case shuttingDown

    package var description: String {
        switch self {
        case .deadlinePassed: "no connection became free before the deadline"
        case .serverAway: "the database server could not be reached before the deadline"
        case .refused: "the database server refuses the connection"
        case .queueFull: "too many wait for a connection already"
        case .cancelled: "cancelled while waiting for a connection"
        case .shuttingDown: "the connection pool is shutting down"
        }
    }
}
