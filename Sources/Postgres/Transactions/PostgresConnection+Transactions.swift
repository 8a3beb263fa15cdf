package import EventLoop

extension PostgresConnection {
    /// Runs a body in a transaction. Commits if it returns, and rolls back if it throws or its task is canceled.
    ///
    /// The body runs again only within the limits of `options.retry`, after a database error that can be retried. A
    /// connection lost during the commit is `outcomeUnknown`. So is a commit that no synchronous standby has confirmed.
    package func transaction<Result>(
        _ options: TransactionOptions = TransactionOptions(), until deadline: Deadline,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await transaction(options, opening: [], until: deadline) { connection, _ in (try await body(connection), []) }
    }

    /// Runs a body in a transaction, like the other function, with fewer round trips. `queries` run in the round trip that
    /// begins the transaction, and the body receives their results. The queries that the body returns run in the round trip
    /// that commits the transaction.
    package func transaction<Result>(
        _ options: TransactionOptions = TransactionOptions(), opening queries: [PostgresQuery], until deadline: Deadline,
        _ body: (PostgresConnection, _ opened: [PostgresResult]) async throws -> (Result, closing: [PostgresQuery])
    ) async throws -> Result {
        guard transactionState == .none else { throw PostgresError(.misuse, "transactions cannot be nested") }
        // Boxed: a zero-sized value has no address of its own, and the thread sanitizer takes all of them for one.
        var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
        var attempt = 1
        while true {
            do {
                return try await runTransaction(options, queries, until: deadline, body)
            } catch let error as PostgresError where error.classification == .retry && attempt < options.retry.attempts && !isClosed {
                let end = Deadline.after(options.retry.delay(after: attempt, using: &random))
                guard end < deadline else { throw error }
                try await pause(until: end)
                attempt += 1
            }
        }
    }

    private func runTransaction<Result>(
        _ options: TransactionOptions, _ queries: [PostgresQuery], until deadline: Deadline,
        _ body: (PostgresConnection, _ opened: [PostgresResult]) async throws -> (Result, closing: [PostgresQuery])
    ) async throws -> Result {
        do {
            let opened = try await run([options.begin] + queries, until: deadline)
            let (result, closing) = try await body(self, Array(opened.dropFirst()))
            try await commit(after: closing, until: deadline)
            return result
        } catch {
            await rollBack()
            throw error
        }
    }

    private func pause(until end: Deadline) async throws(PostgresError) {
        do throws(EventLoopError) {
            try await loop.sleep(until: end, named: "postgres: pause before a retry")
        } catch {
            throw PostgresError(error, query: nil)
        }
    }

    private func commit(after queries: [PostgresQuery], until deadline: Deadline) async throws(PostgresError) {
        let result: PostgresResult?
        do throws(PostgresError) {
            // If a query fails, the server skips the others and COMMIT, and the transaction stays open.
            result = try await run(queries + [PostgresQuery("commit", "COMMIT")], until: deadline).last
        } catch {
            // Still in the transaction, so it was not committed: the call ended before anything was sent.
            guard error.classification == .unavailable, error.code != .connectionClosed, transactionState == .none else { throw error }
            guard error.code != .outcomeUnknown else { throw error }
            throw PostgresError(.outcomeUnknown, "no response to COMMIT: \(error.message)", query: "commit", sqlState: error.sqlState)
        }
        // A definite commit raises no warning.
        if let warning = handle?.warnings.first {
            throw PostgresError(.outcomeUnknown, "the commit was not confirmed: \(warning)", query: "commit")
        }
        guard result?.command != "COMMIT" else { return }
        throw PostgresError(.rolledBack, "a statement of the transaction failed before COMMIT", query: "commit")
    }

    /// Rolls back any open transaction, including one whose canceled BEGIN may have reached the server. Runs in its own
    /// task, because the calling task may be canceled.
    private func rollBack() async {
        await Task(executorPreference: loop) { [self] in
            guard transactionState != .none else { return }
            do throws(PostgresError) {
                try await run(PostgresQuery("rollback", "ROLLBACK"), until: .after(cancelGrace))
            } catch {
                close()
            }
        }.value
    }
}
