package import EventLoop

extension PostgresConnection {
    /// Lends the rows of a query one by one, without keeping more than a socket's buffer of them.
    ///
    /// The connection is busy for the length of the scope. Leaving it early cancels what is left on the server.
    package func withRows<each Column: PostgresDecodable, Result>(
        of query: PostgresQuery, as columns: repeat (each Column).Type, until deadline: Deadline,
        _ body: (PostgresRows<(repeat each Column)>) async throws -> Result
    ) async throws -> Result {
        try query.validate()
        let handle = try beginCall(query.name, until: deadline)
        let cursor = RowCursor(self, handle, query, until: deadline)
        do {
            try await cursor.start()
            let rows = PostgresRows(cursor: cursor) { row throws(PostgresError) in try row.decode(row: 0, as: repeat each columns) }
            let result = try await body(rows)
            await end(cursor, handle)
            return result
        } catch {
            await end(cursor, handle)
            throw error
        }
    }

    private func end(_ cursor: RowCursor, _ handle: Handle) async {
        if !cursor.isFinished, !handle.isBroken { await finishExchange() }
        cursor.close()
        statements.dropUnconfirmed()
        if handle.isBroken { abandon() }
        endCall()
    }
}
