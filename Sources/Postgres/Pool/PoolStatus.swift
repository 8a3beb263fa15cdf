package struct PoolStatus: Sendable, Equatable {
    /// Lent to somebody.
    package let leased: Int
    package let idle: Int
    /// Opening, being checked or closing.
    package let others: Int
    package let waiting: Int
    package let isServerAway: Bool
}

extension PoolState {
    package var status: PoolStatus {
        let leased = connections.count(where: \.isLeased)
        let idle = connections.count(where: \.isIdle)
        return PoolStatus(
            leased: leased, idle: idle, others: connections.count - leased - idle, waiting: waiters.count, isServerAway: presence.isAway)
    }
}

package enum PoolStatusChange: Sendable, Equatable {
    /// Attempts to connect fail from now on.
    case serverAway(PostgresError)
    case serverBack(after: Duration)
}
