internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Runs queries in one round trip and returns a result for each.
    ///
    /// Outside a transaction they form one: if a query fails, none takes effect and its error is thrown. A deadline or
    /// a cancellation ends the query on the server, which is awaited for at most `cancelGrace`. A single query outside
    /// a transaction is run again if its plan was stale.
    @discardableResult
    package func run(_ queries: [PostgresQuery], until deadline: Deadline) async throws(PostgresError) -> [PostgresResult] {
        guard let first = queries.first else { return [] }
        for query in queries { try query.validate() }
        let handle = try startCall(first.name, until: deadline)
        defer { endCall() }
        do throws(PostgresError) {
            return try await attempt(queries, handle, until: deadline)
        } catch {
            guard error.code == .staleStatement, queries.count == 1, transactionState == .none else { throw error }
            return try await attempt(queries, handle, until: deadline)
        }
    }

    private func attempt(
        _ queries: [PostgresQuery], _ handle: Handle, until deadline: Deadline
    ) async throws(PostgresError) -> [PostgresResult] {
        do throws(PostgresError) {
            return try await exchange(queries, handle, until: deadline)
        } catch {
            statements.dropUnconfirmed()
            if error.code == .staleStatement { for query in queries where query.name == error.query { statements.forget(query) } }
            if error.leavesResults { await finishExchange() }
            if handle.isBroken || error.code == .connectionLost { abandon() }
            throw error
        }
    }

    @discardableResult
    package func run(_ query: PostgresQuery, until deadline: Deadline) async throws(PostgresError) -> PostgresResult {
        try await run([query], until: deadline)[0]
    }

    /// Runs one query and returns its rows as tuples, or as values if it has one column.
    package func rows<each Column: PostgresDecodable>(
        of query: PostgresQuery, as columns: repeat (each Column).Type, until deadline: Deadline
    ) async throws(PostgresError) -> [(repeat each Column)] {
        try await run(query, until: deadline).rows(as: repeat each columns)
    }

    private func exchange(
        _ queries: [PostgresQuery], _ handle: Handle, until deadline: Deadline
    ) async throws(PostgresError) -> [PostgresResult] {
        var isNew: [Bool] = []
        isNew.reserveCapacity(queries.count)
        for query in queries { isNew.append(try send(query, handle)) }
        guard unsafe PQpipelineSync(handle.pointer) == 1 else { throw lost(handle, queries[0].name) }
        var results: [PostgresResult] = []
        results.reserveCapacity(queries.count)
        var failure: PostgresError?
        var position = 0
        var isPreparation = isNew[0]
        while true {
            let query = queries[min(position, queries.count - 1)].name
            // Most results have already arrived, so this avoids an asynchronous call that would not wait.
            if unsafe PQisBusy(handle.pointer) == 1 {
                do throws(PostgresError) {
                    try await waitForResult(handle, query, until: deadline)
                } catch {
                    throw failure.map { $0.code == .refused && error.code == .connectionLost ? $0 : error } ?? error
                }
            }
            guard let result = receiveResult(handle, query) else {
                guard !handle.isBroken else { throw failure ?? lost(handle, query) }
                // The results of a preparation come before those of the query.
                if !isPreparation { position += 1 }
                isPreparation = !isPreparation && position < queries.count && isNew[position]
                continue
            }
            switch result.status {
            case PGRES_PIPELINE_SYNC:
                if let failure { throw failure }
                try checkReplication(handle, query)
                guard results.count == queries.count else { throw PostgresError(.misuse, "a query has no result", query: query) }
                return results
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if isPreparation { statements.confirmNext() } else { results.append(result) }
            case PGRES_PIPELINE_ABORTED: break
            case PGRES_COPY_IN, PGRES_COPY_OUT:
                abandon()
                throw PostgresError(.misuse, "COPY is not a query", query: query)
            default:
                if failure == nil {
                    failure = result.failure
                    failure?.position = position
                }
            }
        }
    }
}

extension PostgresError {
    /// Whether the server may still send results of the ended call.
    fileprivate var leavesResults: Bool { code == .deadlinePassed || code == .cancelled }
}

extension PostgresConnection {
    /// Adds a query to libpq's buffer, with its preparation if it is new. Returns whether it was new, so that a result
    /// of the preparation comes before its own.
    func send(_ query: PostgresQuery, _ handle: Handle) throws(PostgresError) -> Bool {
        let choice = statements.choose(for: query)
        let parameters = query.parameters
        let count = Int32(parameters.count)
        if case .new(let name) = choice {
            guard unsafe PQsendPrepare(handle.pointer, name, query.sql, count, parameters.types) == 1 else {
                throw lost(handle, query.name)
            }
        }
        let isSent = unsafe parameters.withValues { values in
            switch choice {
            case .prepared(let name), .new(let name):
                unsafe PQsendQueryPrepared(handle.pointer, name, count, values, parameters.lengths, parameters.formats, 1) == 1
            case .unnamed:
                unsafe PQsendQueryParams(
                    handle.pointer, query.sql, count, parameters.types, values, parameters.lengths, parameters.formats, 1) == 1
            }
        }
        guard isSent else { throw lost(handle, query.name) }
        if case .new = choice { return true }
        return false
    }
}

extension PostgresConnection {
    /// Returns the next result, or nil at the end of one query's results.
    func nextResult(_ handle: Handle, query: String, until deadline: Deadline) async throws(PostgresError) -> PostgresResult? {
        try await waitForResult(handle, query, until: deadline)
        return receiveResult(handle, query)
    }

    func waitForResult(_ handle: Handle, _ query: String, until deadline: Deadline) async throws(PostgresError) {
        while unsafe PQisBusy(handle.pointer) == 1 {
            let flushed = unsafe PQflush(handle.pointer)
            if flushed < 0 {
                // The server may have sent a reason before it closed the connection.
                guard unsafe PQisBusy(handle.pointer) == 0 else { throw lost(handle, query) }
                return
            }
            try await waitForSocket(handle, flushed == 1 ? [.readable, .writable] : .readable, query, until: deadline)
        }
    }

    func receiveResult(_ handle: Handle, _ query: String) -> PostgresResult? {
        unsafe PQgetResult(handle.pointer).map { unsafe PostgresResult(owning: $0, query: query) }
    }

    func waitForSocket(_ handle: Handle, _ interest: Readiness, _ query: String, until deadline: Deadline) async throws(PostgresError) {
        // A copy out has no result that would report a connection that libpq has closed.
        guard !handle.isBroken else { throw lost(handle, query) }
        let ready: Readiness
        do throws(EventLoopError) {
            ready =
                if interest == .readable {
                    try await loop.wait(for: socketWatch(handle), until: deadline)
                } else {
                    try await loop.wait(for: interest, on: handle.socket, until: deadline, named: "postgres: query")
                }
        } catch {
            throw PostgresError(error, query: query)
        }
        // If this fails, libpq creates a result with the reason.
        if ready.contains(.readable) { _ = unsafe PQconsumeInput(handle.pointer) }
    }

    /// Throws if the commit that ended the call stopped waiting for a synchronous standby, which may not have it.
    func checkReplication(_ handle: Handle, _ query: String) throws(PostgresError) {
        guard let warning = handle.warnings.ofReplication else { return }
        throw PostgresError(.outcomeUnknown, "the commit was not confirmed: \(warning)", query: query)
    }

    func lost(_ handle: Handle, _ query: String) -> PostgresError { PostgresError(.connectionLost, handle.message, query: query) }
}
