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
