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
