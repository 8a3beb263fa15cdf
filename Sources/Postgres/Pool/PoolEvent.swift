/// What a pool is told; an event about a connection or a waiter that the pool does not expect it of changes nothing.
package enum PoolEvent: Sendable, Equatable {
    /// The pool may open its minimum.
    case started
    case requested(PoolRequest)
    /// The waiter does not want a connection any more.
    case cancelled(PoolWaiterID)
    case connected(PoolConnectionID)
    /// The attempt is over and has left nothing to close.
    case connectFailed(PoolConnectionID, Refusal)
    case returned(PoolConnectionID, Condition)
    case checked(PoolConnectionID, isHealthy: Bool)
    /// The connection broke, whoever had it.
    case lost(PoolConnectionID)
    case closed(PoolConnectionID)
    /// There is a sign from elsewhere that the server is back; the pause before the next attempt ends.
    case serverSeen
    case timerFired
    /// Nobody is served any more; what is leased at the deadline is closed under its holder.
    case shutDown(deadline: PoolInstant)

    package enum Refusal: Sendable {
        /// Nothing answered, or the server takes no connections at the moment.
        case away
        /// The server answered and said no, as to a wrong password: waiting does not help.
        case final
    }

    package enum Condition: Sendable {
        /// Outside of a transaction, with nothing left to read.
        case clean
        /// Perhaps usable: to be checked before the next one has it.
        case doubtful
        case broken
    }
}
