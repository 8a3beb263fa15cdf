package struct PoolStatus: Sendable, Equatable {
    /// The number of leased connections.
    package let leased: Int
    package let idle: Int
    /// The number of connections that are opening, being checked or closing.
    package let others: Int
    package let waiting: Int
    package let isServerAway: Bool
}

extension PoolState {
    package var status: PoolStatus {
        let leased = connections.count(where: \.isLeased)
        let idle = connections.count(where: \.isIdle)
        return PoolStatus(
            leased: leased, idle: idle, others: connections.count - leased - idle, waiting: waiters.count, isServerAway: reachability.isAway
        )
    }
}

package enum PoolStatusChange: Sendable, Equatable {
    /// The server is unreachable.
    case serverAway(PostgresError)
    case serverBack(after: Duration)
}
