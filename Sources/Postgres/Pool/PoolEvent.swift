/// What a pool is told; an event about a connection or a waiter that the pool does not expect it of changes nothing.
package enum PoolEvent: Sendable, Equatable {
    /// The pool may open its minimum.
    case started
    case requested(PoolRequest)
    /// The waiter does not want a connection any more.
    case cancelled(PoolWaiterID)
    case connected(PoolConnectionID)
    /// The attempt is over and has left nothing to close.
    case connectFailed(PoolConnectionID, Rejection)
    case returned(PoolConnectionID, Condition)
    case checked(PoolConnectionID, isHealthy: Bool)
    /// The connection broke, whoever had it.
    case lost(PoolConnectionID)
    case closed(PoolConnectionID)
    case timerFired
    /// Nobody is served any more; what is leased at the deadline is closed under its holder.
    case shutDown(deadline: PoolInstant)

    package enum Rejection: Sendable {
        /// Nothing answered, or the server takes no connections at the moment.
        case away
        /// The server answered and said no, as to a wrong password: waiting does not help.
        case final
    }

    package enum Condition: Sendable {
        /// Outside of a transaction, with nothing left to read.
        case clean
        /// Perhaps usable: to be checked before the next one has it.
        case uncertain
        case broken
    }
}

/// What the owner of a pool is to do, in this order.
package enum PoolAction: Sendable, Equatable {
    /// Answered by `connected` or `connectFailed` within a time that the owner bounds.
    case connect(PoolConnectionID)
    /// Ends the connection in whatever state it is; answered by `closed`.
    case close(PoolConnectionID)
    /// Ends a wait; the connection is the waiter's until it is returned.
    case lease(PoolConnectionID, to: PoolWaiterID)
    /// Ends a wait.
    case fail(PoolWaiterID, PoolFailure)
    /// Asks the server over the connection; answered by `checked` within a time that the owner bounds.
    case check(PoolConnectionID)
    /// Replaces the timer that was set before.
    case scheduleTimer(at: PoolInstant)
    /// The last connection is closed after `shutDown`; nothing follows.
    case finish
}

/// One connection of a pool from its first attempt to its end; never used twice.
package struct PoolConnectionID: Sendable, Hashable, CustomStringConvertible {
    let number: UInt64

    package var description: String { "connection \(number)" }
}

/// One request for a connection; the owner of the pool numbers them and uses no number twice.
package struct PoolWaiterID: Sendable, Hashable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package var description: String { "waiter \(number)" }
}

/// A moment on the clock of a pool's owner, told as the time since an origin that the owner chooses.
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

/// What somebody asks a pool for.
///
/// A pool knows one server. The place to say that a replica would do is here; the choice between two pools is made before one is asked.
package struct PoolRequest: Sendable, Equatable {
    package let waiter: PoolWaiterID
    /// From this moment on the waiter is told no.
    package let deadline: PoolInstant

    package init(_ waiter: PoolWaiterID, deadline: PoolInstant) {
        self.waiter = waiter
        self.deadline = deadline
    }
}

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
