internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Runs queries in one round trip and answers with a result for each.
    ///
    /// Outside of a transaction they are one: where one fails, none has happened, and its error is thrown. A deadline or a cancellation
    /// ends the query on the server, for which at most `cancelGrace` is waited. A single query outside of a transaction is run again where its
    /// plan had gone stale.
    @discardableResult
    package func run(_ queries: [PostgresQuery], until deadline: Deadline) async throws(PostgresError) -> [PostgresResult] {
        guard let first = queries.first else { return [] }
        for query in queries { try query.validate() }
        let handle = try beginCall(first.name, until: deadline)
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
            if error.leavesAnswers { await finishExchange() }
            if handle.isBroken || error.code == .connectionLost { abandon() }
            throw error
        }
    }

    /// Runs one query.
    @discardableResult
    package func run(_ query: PostgresQuery, until deadline: Deadline) async throws(PostgresError) -> PostgresResult {
        try await run([query], until: deadline)[0]
    }

    /// Runs one query and reads its rows as tuples, or as values where there is one column.
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
        var place = 0
        var isPreparation = isNew[0]
        while true {
            let query = queries[min(place, queries.count - 1)].name
            // Most results are there already: whoever waits for nothing pays for no asynchronous call.
            if unsafe PQisBusy(handle.pointer) == 1 {
                do throws(PostgresError) {
                    try await waitForResult(handle, query, until: deadline)
                } catch {
                    throw failure.map { $0.code == .refused && error.code == .connectionLost ? $0 : error } ?? error
                }
            }
            guard let result = takeResult(handle, query) else {
                guard !handle.isBroken else { throw failure ?? lost(handle, query) }
                // The results of a preparation come before those of the query.
                if !isPreparation { place += 1 }
                isPreparation = !isPreparation && place < queries.count && isNew[place]
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
                throw PostgresError(.misuse, "COPY is no query", query: query)
            default:
                if failure == nil {
                    failure = result.failure
                    failure?.place = place
                }
            }
        }
    }
}

extension PostgresError {
    /// Whether the server may still send something for what this ended.
    fileprivate var leavesAnswers: Bool { code == .deadlinePassed || code == .cancelled }
}
