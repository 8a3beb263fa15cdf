internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Feeds a `COPY … FROM STDIN` with chunks, whose borders mean nothing, and answers with the number of rows.
    ///
    /// The next chunk is asked for only when the network has taken the one before. Where the chunks end with an error, nothing is copied. The
    /// deadline is looked at between chunks: a source that waits bounds that itself.
    package func copyIn<Chunks: AsyncSequence>(
        _ name: String, _ sql: String, from chunks: Chunks, until deadline: Deadline
    ) async throws -> Int where Chunks.Element == [UInt8] {
        try await copying(name, sql, until: deadline) { handle in
            for try await chunk in chunks {
                // A source that the network keeps up with never waits for the socket, where a deadline is noticed.
                guard !Task.isCancelled else { throw PostgresError(.cancelled, "copy: cancelled", query: name) }
                guard deadline > .now else { throw PostgresError(.deadlinePassed, "copy: the deadline passed", query: name) }
                guard let count = Int32(exactly: chunk.count) else { throw PostgresError(.misuse, "a chunk of over 2 GiB", query: name) }
                let isTaken = unsafe chunk.withUnsafeBytes { bytes in
                    unsafe PQputCopyData(handle.pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count) == 1
                }
                // For want of memory: what came before must not pass for all. A refusal of the server is heard when the chunks end.
                guard isTaken else { throw lost(handle, name) }
                try await drainOutput(handle, name, until: deadline)
            }
            _ = unsafe PQputCopyEnd(handle.pointer, nil)
            return try await copyResult(handle, name, until: deadline).affectedRows
        }
    }

    /// Leaves pipeline mode, in which libpq has no COPY, and comes back to it or closes the connection.
    private func copying(
        _ name: String, _ sql: String, until deadline: Deadline, _ body: (Handle) async throws -> Int
    ) async throws -> Int {
        let handle = try beginCall(name, until: deadline)
        defer { endCall() }
        do {
            guard unsafe PQexitPipelineMode(handle.pointer) == 1, unsafe PQsendQuery(handle.pointer, sql) == 1 else {
                throw lost(handle, name)
            }
            let answer = try await nextResult(handle, query: name, until: deadline)
            guard let answer, answer.status == PGRES_COPY_IN else {
                throw answer?.status == PGRES_FATAL_ERROR
                    ? answer?.failure ?? lost(handle, name) : PostgresError(.misuse, "no such COPY", query: name)
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

    /// Ends what is left of a copy or a script, in a task of its own, since the one that is waited in may be cancelled. A cancellation is said
    /// again until it hits.
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
                case PGRES_COPY_IN: _ = unsafe PQputCopyEnd(handle.pointer, "the client gave up")
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

    /// Reads what the server still sends of a copy, and forgets it.
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
