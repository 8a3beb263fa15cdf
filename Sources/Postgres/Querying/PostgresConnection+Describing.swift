internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Asks the server for the types of a statement's parameters and columns. Throws the server's error if a name does
    /// not exist.
    package func describe(_ query: NamedQuery, until deadline: Deadline) async throws(PostgresError) -> StatementDescription {
        let name = query.name.description
        let handle = try startCall(name, until: deadline)
        defer { endCall() }
        do throws(PostgresError) {
            guard unsafe PQsendPrepare(handle.pointer, "", query.text, 0, nil) == 1,
                unsafe PQsendDescribePrepared(handle.pointer, "") == 1, unsafe PQpipelineSync(handle.pointer) == 1
            else { throw lost(handle, name) }
            return try await readDescription(handle, name, until: deadline)
        } catch {
            if error.code == .deadlinePassed || error.code == .cancelled { await finishExchange() }
            if handle.isBroken { abandon() }
            throw error
        }
    }

    /// Returns the last of the two results. The result of the preparation is empty.
    private func readDescription(_ handle: Handle, _ name: String, until deadline: Deadline) async throws(PostgresError)
        -> StatementDescription
    {
        var last: PostgresResult?
        var failure: PostgresError?
        while true {
            guard let result = try await nextResult(handle, query: name, until: deadline) else {
                guard !handle.isBroken else { throw failure ?? lost(handle, name) }
                continue
            }
            switch result.status {
            case PGRES_PIPELINE_SYNC:
                if let failure { throw failure }
                guard let last else { throw lost(handle, name) }
                return last.statement
            case PGRES_COMMAND_OK: last = result
            case PGRES_PIPELINE_ABORTED: break
            default: failure = failure ?? result.failure
            }
        }
    }
}

/// The types of a statement's parameters and columns, which the server determines without running it.
package struct StatementDescription: Sendable, Equatable, CustomStringConvertible {
    package struct Column: Sendable, Equatable {
        package let name: String
        package let type: PostgresType
    }

    package let parameters: [PostgresType]
    package let columns: [Column]

    /// `(int4, text) → name text, size int8`
    package var description: String {
        let parameterList = parameters.map(\.description).joined(separator: ", ")
        let given = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        return "(\(parameterList))" + (given.isEmpty ? "" : " → \(given)")
    }
}
