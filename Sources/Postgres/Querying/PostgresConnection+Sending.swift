internal import CPostgres

extension PostgresConnection {
    /// Puts a query in libpq's buffer, with its preparation where it is new; answers whether it was, so that another answer comes before its own.
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
