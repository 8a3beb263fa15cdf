/// What an operator wants to know of a pool.
package enum PoolStatusChange: Sendable, Equatable {
    /// Attempts to connect fail from now on.
    case serverAway(PostgresError)
    case serverBack(after: Duration)
}
