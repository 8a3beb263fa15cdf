package import EventLoop

extension PostgresPool {
    /// Leases a connection for the length of `body`, which must leave no open transaction.
    ///
    /// The deadline limits the wait for the connection only.
    package func withConnection<Result>(
        until deadline: Deadline, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let (member, connection) = try await acquire(until: deadline)
        do {
            let result = try await body(connection)
            release(member, connection, after: nil)
            return result
        } catch {
            release(member, connection, after: error as? PostgresError)
            throw error
        }
    }

    /// Runs queries in one round trip on a connection of the pool, like `PostgresConnection.run`.
    @discardableResult
    package func run(_ queries: [PostgresQuery], until deadline: Deadline) async throws(PostgresError) -> [PostgresResult] {
        let (member, connection) = try await acquire(until: deadline)
        do throws(PostgresError) {
            let results = try await connection.run(queries, until: deadline)
            release(member, connection, after: nil)
            return results
        } catch {
            release(member, connection, after: error)
            throw error
        }
    }

    @discardableResult
    package func run(_ query: PostgresQuery, until deadline: Deadline) async throws(PostgresError) -> PostgresResult {
        try await run([query], until: deadline)[0]
    }

    package func rows<each Column: PostgresDecodable>(
        of query: PostgresQuery, as columns: repeat (each Column).Type, until deadline: Deadline
    ) async throws(PostgresError) -> [(repeat each Column)] {
        try await run(query, until: deadline).rows(as: repeat each columns)
    }

    /// Runs a body in a transaction, like `PostgresConnection.transaction`. The deadline limits the wait and all
    /// attempts together.
    package func transaction<Result>(
        _ options: TransactionOptions = TransactionOptions(), until deadline: Deadline,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await withConnection(until: deadline) { connection in
            try await connection.transaction(options, until: deadline, body)
        }
    }

    private func acquire(until deadline: Deadline) async throws(PostgresError) -> (PoolMember, PostgresConnection) {
        guard !Task.isCancelled else { throw PostgresError(.cancelled, "canceled before a connection was requested") }
        let waiter = makeWaiter()
        let wait = PoolWait()
        waits[waiter] = wait
        handle(.requested(PoolRequest(waiter, deadline: instant(deadline))))
        if waits[waiter] != nil { await suspend(waiter, wait) }
        if let failure = wait.failure { throw failure }
        guard let member = wait.member, let connection = member.connection else {
            throw PostgresError(.misuse, "a connection was leased before it was open")
        }
        return (member, connection)
    }

    private func suspend(_ waiter: PoolWaiterID, _ wait: PoolWait) async {
        await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { unsafe wait.start($0) }
        } onCancel: {
            do throws(EventLoopError) {
                try loop.submit(named: "postgres: stop waiting") { self.handle(.cancelled(waiter)) }
            } catch {
                // A stopping loop ends every wait. This one ends with the pool's own shutdown.
            }
        }
    }

    private func release(_ member: PoolMember, _ connection: PostgresConnection, after error: PostgresError?) {
        if member.isClosing { return forget(member) }
        member.isLent = false
        let condition = connection.condition(after: error)
        if condition == .broken, let error { lastFailure = error }
        offer(member, .returned(member.id, condition))
    }
}

extension PostgresConnection {
    fileprivate func condition(after error: PostgresError?) -> PoolEvent.Condition {
        if isClosed { return .broken }
        return isUsable && error?.classification != .unavailable ? .clean : .uncertain
    }
}
