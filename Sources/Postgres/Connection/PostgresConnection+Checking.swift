package import EventLoop

extension PostgresConnection {
    /// Ends a transaction that was left open and asks the server for an answer; false where the connection cannot be used again.
    package func check(until deadline: Deadline) async -> Bool {
        do throws(PostgresError) {
            if transactionState == .none {
                try await run(PostgresQuery("check", "SELECT", isPrepared: false), until: deadline)
            } else {
                try await run(PostgresQuery("rollback", "ROLLBACK"), until: deadline)
            }
        } catch {
            return false
        }
        return isUsable
    }
}
