/// What a transaction sees of others, what it may do, and whether it is run again.
package struct TransactionOptions: Sendable {
    package enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"
    }

    package var isolation: Isolation
    package var isReadOnly: Bool
    /// Waits for a moment from which a serializable transaction that only reads meets nobody.
    package var isDeferrable: Bool
    /// After 40001 and 40P01.
    package var retry: RetryPolicy

    package init(
        isolation: Isolation = .readCommitted, isReadOnly: Bool = false, isDeferrable: Bool = false, retry: RetryPolicy = .never
    ) {
        self.isolation = isolation
        self.isReadOnly = isReadOnly
        self.isDeferrable = isDeferrable
        self.retry = retry
    }

    var begin: PostgresQuery {
        let access = isReadOnly ? "READ ONLY" : "READ WRITE"
        let sql = "BEGIN ISOLATION LEVEL \(isolation.rawValue) \(access)\(isDeferrable ? " DEFERRABLE" : "")"
        return PostgresQuery("begin", sql)
    }
}

/// How often a transaction that met another one is run again, and after what pause.
package struct RetryPolicy: Sendable {
    /// At least 1: the first run counts.
    package let attempts: Int
    /// The pause after the first attempt at most; it doubles with each.
    package let pause: Duration

    /// For a body that must not run twice.
    package static let never = RetryPolicy(attempts: 1, pause: .zero)

    package init(attempts: Int, pause: Duration = .milliseconds(10)) {
        precondition(attempts > 0, "a transaction is attempted at least once")
        self.attempts = attempts
        self.pause = pause
    }

    /// A random part of the longest pause after an attempt, which is a second at most, so that two that met do not meet again.
    func delay(after attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(pause * (1 << min(max(attempt - 1, 0), 10)), .seconds(1))
        return longest * Double.random(in: 0...1, using: &random)
    }
}
