internal import CPostgres
internal import EventLoop

/// Where a connection stands in a result that it reads row by row.
final class RowCursor {
    private let connection: PostgresConnection
    private let handle: Handle
    private let query: PostgresQuery
    private let deadline: Deadline
    private var failure: PostgresError?
    /// Whether nothing of the query is left to read.
    private(set) var isFinished = false

    init(_ connection: PostgresConnection, _ handle: Handle, _ query: PostgresQuery, until deadline: Deadline) {
        self.connection = connection
        self.handle = handle
        self.query = query
        self.deadline = deadline
    }

    func start() async throws(PostgresError) {
        let isNew = try connection.send(query, handle)
        guard unsafe PQpipelineSync(handle.pointer) == 1 else { throw connection.lost(handle, query.name) }
        if isNew {
            while let result = try await connection.nextResult(handle, query: query.name, until: deadline) { note(result) }
            if failure == nil { connection.statements.confirmNext() }
        }
        // Asked for when the query is the next to be read: libpq applies it to that one alone.
        guard unsafe PQsetSingleRowMode(handle.pointer) == 1 || failure != nil else { throw connection.lost(handle, query.name) }
    }

    /// Lets it have no more rows, for what the connection reads from now on belongs to others.
    func close() {
        isFinished = true
        failure = nil
    }

    /// The next row as a result of one row.
    func next() async throws(PostgresError) -> PostgresResult? {
        while !isFinished {
            guard let result = try await connection.nextResult(handle, query: query.name, until: deadline) else {
                guard !handle.isBroken else { throw failure ?? connection.lost(handle, query.name) }
                continue
            }
            switch result.status {
            case PGRES_SINGLE_TUPLE: return result
            case PGRES_PIPELINE_SYNC: isFinished = true
            default: note(result)
            }
        }
        if let failure {
            if failure.code == .staleStatement { connection.statements.forget(query) }
            throw failure
        }
        return nil
    }

    private func note(_ result: PostgresResult) {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED: break
        default: if failure == nil { failure = result.failure }
        }
    }
}
