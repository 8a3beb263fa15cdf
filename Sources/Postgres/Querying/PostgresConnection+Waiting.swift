internal import CPostgres
internal import EventLoop

extension PostgresConnection {
    /// The next result; nil ends those of one query.
    func nextResult(_ handle: Handle, query: String, until deadline: Deadline) async throws(PostgresError) -> PostgresResult? {
        try await waitForResult(handle, query, until: deadline)
        return takeResult(handle, query)
    }

    /// Sends what is to be sent, and returns when there is a result to take.
    func waitForResult(_ handle: Handle, _ query: String, until deadline: Deadline) async throws(PostgresError) {
        while unsafe PQisBusy(handle.pointer) == 1 {
            let flushed = unsafe PQflush(handle.pointer)
            if flushed < 0 {
                // The server may have said why, before it went.
                guard unsafe PQisBusy(handle.pointer) == 0 else { throw lost(handle, query) }
                return
            }
            try await waitForSocket(handle, flushed == 1 ? [.readable, .writable] : .readable, query, until: deadline)
        }
    }

    func takeResult(_ handle: Handle, _ query: String) -> PostgresResult? {
        unsafe PQgetResult(handle.pointer).map { unsafe PostgresResult(owning: $0, query: query) }
    }

    /// Waits, and takes in what has come.
    func waitForSocket(_ handle: Handle, _ interest: Readiness, _ query: String, until deadline: Deadline) async throws(PostgresError) {
        // A copy out has no result that would tell of a connection which libpq has closed meanwhile.
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
        // Where it fails, libpq makes a result that says why.
        if ready.contains(.readable) { _ = unsafe PQconsumeInput(handle.pointer) }
    }

    /// Throws if the commit that ended a call gave up its wait for a synchronous standby, so that no standby may have it.
    func checkReplication(_ handle: Handle, _ query: String) throws(PostgresError) {
        guard let warning = handle.warnings.ofReplication else { return }
        throw PostgresError(.outcomeUnknown, "the commit was not confirmed: \(warning)", query: query)
    }

    func lost(_ handle: Handle, _ query: String) -> PostgresError { PostgresError(.connectionLost, handle.message, query: query) }
}
