package import EventLoop

extension PostgresConnection {
    /// Runs a body in a transaction: commits where it returns, rolls back where it throws or its task is cancelled.
    ///
    /// The body is run again only within the bounds of `options.retry`, after an error of the database that calls for it. A connection
    /// lost while it commits is `outcomeUnknown`, and so is a commit that no synchronous standby has confirmed.
    package func transaction<Result>(
        _ options: TransactionOptions = TransactionOptions(), until deadline: Deadline,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        guard transactionState == .none else { throw PostgresError(.misuse, "a transaction within a transaction") }
        // Boxed: what has no size has no address of its own, and the thread sanitizer takes all of them for one.
        var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
        var attempt = 1
        while true {
            do {
                return try await runTransaction(options, until: deadline, body)
            } catch let error as PostgresError where error.classification == .retry && attempt < options.retry.attempts && !isClosed {
                let end = Deadline.after(options.retry.delay(after: attempt, using: &random))
                guard end < deadline else { throw error }
                try await pause(until: end)
                attempt += 1
            }
        }
    }

    private func runTransaction<Result>(
        _ options: TransactionOptions, until deadline: Deadline, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        do {
            try await run(options.begin, until: deadline)
            let result = try await body(self)
            try await commit(until: deadline)
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

    private func commit(until deadline: Deadline) async throws(PostgresError) {
        let result: PostgresResult
        do throws(PostgresError) {
            result = try await run(PostgresQuery("commit", "COMMIT"), until: deadline)
        } catch {
            // Still in the transaction, it has not committed: the call ended before anything was sent.
            guard error.classification == .unavailable, error.code != .connectionClosed, transactionState == .none else { throw error }
            guard error.code != .outcomeUnknown else { throw error }
            throw PostgresError(.outcomeUnknown, "no answer to COMMIT: \(error.message)", query: "commit", sqlState: error.sqlState)
        }
        // Nothing of a commit that is done for certain warns.
        if let warning = handle?.warnings.first {
            throw PostgresError(.outcomeUnknown, "the commit was not confirmed: \(warning)", query: "commit")
        }
        guard result.command != "COMMIT" else { return }
        throw PostgresError(.rolledBack, "a statement of the transaction had failed before COMMIT", query: "commit")
    }

    /// Where anything is open: also after a BEGIN that was given up, which the server may have taken. In a task of its own, since the one that
    /// is waited in may be cancelled.
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
