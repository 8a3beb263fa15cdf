/// What a listener tells.
package enum ListenerEvent: Sendable, Equatable {
    /// It listens from now on, and anything may have been said before: whoever relies on it looks for what has changed.
    case mayHaveMissed
    case notified(PostgresNotification)
    /// Nothing is heard until the next `mayHaveMissed`.
    case lost(PostgresError)
}
