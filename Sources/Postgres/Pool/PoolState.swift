/// Decides for a pool of connections to one server who gets which and when one is opened or closed.
///
/// It neither connects nor waits: events go in, actions come out, and the moment and the dice come with each event. Those who wait are
/// served in order; the connection used last is used next, so that those above the need grow idle and are closed.
package struct PoolState: Sendable {
    enum Phase: Equatable {
        /// May become `draining`.
        case open
        /// May become `drained`, at the latest once what it closes at the deadline is closed.
        case draining(deadline: PoolInstant)
        case drained
    }

    package let limits: PoolLimits
    var phase = Phase.open
    var presence = ServerReachability.present
    /// Idle ones in the order in which they became so.
    var connections: [PooledConnection] = []
    var waiters = WaiterQueue()
    var actions: [PoolAction] = []
    var timer: PoolInstant?
    private var connectionsMade: UInt64 = 0

    package init(_ limits: PoolLimits) {
        precondition(limits.waiters > 0, "a pool in which nobody may wait never opens a connection")
        self.limits = limits
    }

    /// Moments never go back from one event to the next.
    package mutating func handle(
        _ event: PoolEvent, at now: PoolInstant, random: inout some RandomNumberGenerator
    ) -> [PoolAction] {
        apply(event, at: now, random: &random)
        settle(at: now)
        defer { actions = [] }
        return actions
    }

    mutating func connect() {
        connectionsMade += 1
        let connection = PooledConnection(id: PoolConnectionID(number: connectionsMade))
        connections.append(connection)
        actions.append(.connect(connection.id))
    }

    mutating func close(_ index: Int) {
        connections[index].state = .closing
        actions.append(.close(connections[index].id))
    }

    mutating func fail(_ waiter: PoolWaiterID, _ failure: PoolFailure) {
        actions.append(.fail(waiter, failure))
    }
}
