/// The isolation, access mode and retry policy of a transaction.
package struct TransactionOptions: Sendable {
    package enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"
    }

    package var isolation: Isolation
    package var isReadOnly: Bool
    /// Whether a read-only serializable transaction waits for a snapshot that cannot conflict.
    package var isDeferrable: Bool
    /// The retry policy for SQLSTATE 40001 and 40P01.
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

/// The number of attempts of a transaction after conflicts, and the pause between them.
package struct RetryPolicy: Sendable {
    /// The number of attempts, at least 1 for the first run.
    package let attempts: Int
    /// The maximum pause after the first attempt. It doubles with each attempt.
    package let pause: Duration

    /// The policy for a body that must not run twice.
    package static let never = RetryPolicy(attempts: 1, pause: .zero)

    package init(attempts: Int, pause: Duration = .milliseconds(10)) {
        precondition(attempts > 0, "a transaction is attempted at least once")
        self.attempts = attempts
        self.pause = pause
    }

    /// Returns a random part of the maximum pause after an attempt, which is at most a second. Randomness keeps two
    /// conflicting transactions from meeting again.
    func delay(after attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(pause * (1 << min(max(attempt - 1, 0), 10)), .seconds(1))
        return longest * Double.random(in: 0...1, using: &random)
    }
}
