internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Runs statements one after another until one fails, and drops their rows.
    ///
    /// Outside a transaction they form one. The error contains the line that the server reports, or the first line of
    /// the statement. A deadline or a cancellation ends the statement on the server, which is awaited for at most
    /// `cancelGrace`.
    package func runScript(_ name: String, _ sql: String, until deadline: Deadline) async throws(PostgresError) {
        let handle = try startCall(name, until: deadline)
        defer { endCall() }
        do throws(PostgresError) {
            // Pipeline mode excludes the simple protocol, which alone accepts several statements.
            guard unsafe PQexitPipelineMode(handle.pointer) == 1, unsafe PQsendQuery(handle.pointer, sql) == 1 else {
                throw lost(handle, name)
            }
            try await readScript(handle, name, sql, until: deadline)
        } catch {
            await returnToPipeline(cancelling: error.code == .deadlinePassed || error.code == .cancelled)
            throw error
        }
        await returnToPipeline()
    }

    private func readScript(_ handle: Handle, _ name: String, _ sql: String, until deadline: Deadline) async throws(PostgresError) {
        var failure: PostgresError?
        var count = 0
        while let result = try await nextResult(handle, query: name, until: deadline) {
            switch result.status {
            case PGRES_COPY_IN, PGRES_COPY_OUT: throw PostgresError(.misuse, "a script cannot COPY from or to the client", query: name)
            case PGRES_FATAL_ERROR where failure == nil:
                failure = result.failure
                failure?.line = Self.line(of: sql, at: result.failurePosition, inStatement: count)
            default: count += 1
            }
        }
        if let failure { throw failure }
        try checkReplication(handle, name)
    }

    private static func line(of sql: String, at position: Int?, inStatement number: Int) -> Int? {
        if let position { return 1 + sql.unicodeScalars.prefix(max(0, position - 1)).count { $0 == "\n" } }
        let lines = SQLScanner.lines(ofStatementsIn: sql)
        return lines.indices.contains(number) ? lines[number] : nil
    }
}
