internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Runs `COPY … FROM STDIN` with chunks of any size and returns the number of rows.
    ///
    /// It requests the next chunk after the network has accepted the previous one. If the sequence throws, nothing is
    /// copied. The deadline is checked between chunks only, so a slow source must limit its own wait.
    package func copyIn<Chunks: AsyncSequence>(
        _ name: String, _ sql: String, from chunks: Chunks, until deadline: Deadline
    ) async throws -> Int where Chunks.Element == [UInt8] {
        try await copying(name, sql, until: deadline) { handle in
            for try await chunk in chunks {
                // If the network keeps up with the source, the copy never waits for the socket, where a deadline is
                // noticed.
                guard !Task.isCancelled else { throw PostgresError(.cancelled, "copy: canceled", query: name) }
                guard deadline > .now else { throw PostgresError(.deadlinePassed, "copy: the deadline passed", query: name) }
                guard let count = Int32(exactly: chunk.count) else {
                    throw PostgresError(.misuse, "the chunk is larger than 2 GiB", query: name)
                }
                let isAccepted = unsafe chunk.withUnsafeBytes { bytes in
                    unsafe PQputCopyData(handle.pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count) == 1
                }
                // Out of memory: the chunks so far must not be committed as the whole. A server error is reported when
                // the chunks end.
                guard isAccepted else { throw lost(handle, name) }
                try await drainOutput(handle, name, until: deadline)
            }
            _ = unsafe PQputCopyEnd(handle.pointer, nil)
            return try await copyResult(handle, name, until: deadline).affectedRows
        }
    }

    /// Leaves pipeline mode, in which libpq does not support COPY. Then returns to it or closes the connection.
    private func copying(
        _ name: String, _ sql: String, until deadline: Deadline, _ body: (Handle) async throws -> Int
    ) async throws -> Int {
        let handle = try startCall(name, until: deadline)
        defer { endCall() }
        do {
            guard unsafe PQexitPipelineMode(handle.pointer) == 1, unsafe PQsendQuery(handle.pointer, sql) == 1 else {
                throw lost(handle, name)
            }
            let response = try await nextResult(handle, query: name, until: deadline)
            guard let response, response.status == PGRES_COPY_IN else {
                throw response?.status == PGRES_FATAL_ERROR
                    ? response?.failure ?? lost(handle, name)
                    : PostgresError(.misuse, "the statement is not this kind of COPY", query: name)
            }
            let result = try await body(handle)
            await returnToPipeline()
            return result
        } catch {
            await returnToPipeline()
            throw error
        }
    }

    private func copyResult(_ handle: Handle, _ name: String, until deadline: Deadline) async throws(PostgresError) -> PostgresResult {
        guard let result = try await nextResult(handle, query: name, until: deadline) else { throw lost(handle, name) }
        guard result.status == PGRES_COMMAND_OK else { throw result.failure }
        try checkReplication(handle, name)
        return result
    }

    private func drainOutput(_ handle: Handle, _ name: String, until deadline: Deadline) async throws(PostgresError) {
        while true {
            let flushed = unsafe PQflush(handle.pointer)
            guard flushed >= 0 else { throw lost(handle, name) }
            guard flushed == 1 else { return }
            try await waitForSocket(handle, [.readable, .writable], name, until: deadline)
        }
    }

    /// Ends the rest of a copy or a script. Runs in its own task because the calling task may be canceled. Repeats a
    /// cancel request until it takes effect.
    func returnToPipeline(cancelling: Bool = false) async {
        await Task(executorPreference: loop) { [self] in
            let deadline = Deadline.after(cancelGrace)
            while let handle, !handle.isBroken, deadline > .now {
                if cancelling { guard await cancelOnServer(until: deadline) else { break } }
                guard await endCopy(handle, until: min(deadline, .after(Self.cancelPause))) else { continue }
                guard unsafe PQenterPipelineMode(handle.pointer) == 1 else { break }
                return
            }
            abandon()
        }.value
    }

    private func endCopy(_ handle: Handle, until deadline: Deadline) async -> Bool {
        do throws(PostgresError) {
            var isCancelled = false
            while let result = try await nextResult(handle, query: "copy", until: deadline) {
                switch result.status {
                case PGRES_COPY_IN: _ = unsafe PQputCopyEnd(handle.pointer, "canceled by the client")
                case PGRES_COPY_OUT:
                    guard !isCancelled else { break }
                    isCancelled = true
                    guard await cancelOnServer(until: deadline) else { return false }
                    try await discardCopy(handle, until: deadline)
                default: break
                }
            }
            return !handle.isBroken
        } catch {
            return false
        }
    }

    /// Reads and discards the rest of a copy.
    private func discardCopy(_ handle: Handle, until deadline: Deadline) async throws(PostgresError) {
        while true {
            var row: UnsafeMutablePointer<CChar>?
            let count = unsafe PQgetCopyData(handle.pointer, &row, 1)
            unsafe PQfreemem(row)
            if count < 0 { return }
            if count == 0 { try await waitForSocket(handle, .readable, "copy", until: deadline) }
        }
    }
}
