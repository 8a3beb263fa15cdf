/// An input of a pool. An event that does not fit the state of its connection or waiter has no effect.
package enum PoolEvent: Sendable, Equatable {
    /// The pool may open its minimum.
    case started
    case requested(PoolRequest)
    /// The waiter no longer needs a connection.
    case cancelled(PoolWaiterID)
    case connected(PoolConnectionID)
    /// The attempt failed and left nothing to close.
    case connectFailed(PoolConnectionID, Rejection)
    case returned(PoolConnectionID, Condition)
    case checked(PoolConnectionID, isHealthy: Bool)
    /// The connection broke, whether leased or not.
    case lost(PoolConnectionID)
    case closed(PoolConnectionID)
    case timerFired
    /// The pool serves no further requests, and closes connections that are still leased at the deadline.
    case shutDown(deadline: PoolInstant)

    package enum Rejection: Sendable {
        /// The server did not respond or currently accepts no connections.
        case away
        /// The server rejected the connection, for example because of a wrong password. A later attempt would fail too.
        case final
    }

    package enum Condition: Sendable {
        /// Outside a transaction, with nothing left to read.
        case clean
        /// Possibly usable. It must be checked before it is leased again.
        case uncertain
        case broken
    }
}

/// A command to the owner of a pool. The owner performs the actions in order.
package enum PoolAction: Sendable, Equatable {
    /// The owner reports `connected` or `connectFailed` within a time limit.
    case connect(PoolConnectionID)
    /// Closes the connection in any state. The owner reports `closed`.
    case close(PoolConnectionID)
    /// Ends a wait. The waiter owns the connection until it is returned.
    case lease(PoolConnectionID, to: PoolWaiterID)
    /// Ends a wait.
    case fail(PoolWaiterID, PoolFailure)
    /// Sends a query over the connection. The owner reports `checked` within a time limit.
    case check(PoolConnectionID)
    /// Replaces the previous timer.
    case scheduleTimer(at: PoolInstant)
    /// The last connection is closed after `shutDown`, and no action follows.
    case finish
}

/// The identity of one connection of a pool, from its first attempt to its end. Never reused.
package struct PoolConnectionID: Sendable, Hashable, CustomStringConvertible {
    let number: UInt64

    package var description: String { "connection \(number)" }
}

/// The identity of one request for a connection, numbered by the owner of the pool. Never reused.
package struct PoolWaiterID: Sendable, Hashable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package var description: String { "waiter \(number)" }
}

/// A time on the clock of a pool's owner, relative to an origin that the owner chooses.
package struct PoolInstant: InstantProtocol {
    package let sinceOrigin: Duration

    package init(_ sinceOrigin: Duration) {
        self.sinceOrigin = sinceOrigin
    }

    package func advanced(by duration: Duration) -> PoolInstant { PoolInstant(sinceOrigin + duration) }

    package func duration(to other: PoolInstant) -> Duration { other.sinceOrigin - sinceOrigin }

    package static func < (a: PoolInstant, b: PoolInstant) -> Bool { a.sinceOrigin < b.sinceOrigin }
}

extension PoolInstant? {
    static func earliest(_ a: PoolInstant?, _ b: PoolInstant?) -> PoolInstant? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}

/// A request for a connection.
///
/// A pool knows one server. A flag for requests that accept a replica would belong here. The choice between two pools
/// is made before the request.
package struct PoolRequest: Sendable, Equatable {
    package let waiter: PoolWaiterID
    /// The time at which the wait fails.
    package let deadline: PoolInstant

    package init(_ waiter: PoolWaiterID, deadline: PoolInstant) {
        self.waiter = waiter
        self.deadline = deadline
    }
}

package enum PoolFailure: Sendable, Equatable, CustomStringConvertible {
    /// All connections were in use until the deadline.
    case deadlinePassed
    /// The server was unreachable until the deadline.
    case serverAway
    /// The server rejects the credentials or the database.
    case refused
    case queueFull
    case cancelled
    case shuttingDown

    package var description: String {
        switch self {
        case .deadlinePassed: "no connection became free before the deadline"
        case .serverAway: "the database server could not be reached before the deadline"
        case .refused: "the database server refuses the connection"
        case .queueFull: "too many tasks are already waiting for a connection"
        case .cancelled: "canceled while waiting for a connection"
        case .shuttingDown: "the connection pool is shutting down"
        }
    }
}
