internal import CPostgres
internal import EventLoop

extension PostgresConnection {
    /// Cancels what runs on the server and reads its end, so that the connection is usable or closed afterwards.
    ///
    /// In a task of its own, since the one that is waited in may be cancelled. The answer of the server is taken in only after the
    /// cancelling connection has ended: a late cancellation would hit the next query.
    func finishExchange(_ handle: Handle) async {
        await Task(executorPreference: loop) { [self] in
            let deadline = Deadline.after(cancelGrace)
            guard await cancelOnServer(until: deadline), await readToSync(until: deadline) else { return abandon() }
        }.value
    }

    func cancelOnServer(until deadline: Deadline) async -> Bool {
        guard let handle, let request = CancelRequest(handle) else { return false }
        do throws(PostgresError) {
            return try await BlockingCall.run("postgres: cancel", on: loop, until: deadline) { request.send() }
        } catch {
            return false
        }
    }

    private func readToSync(until deadline: Deadline) async -> Bool {
        guard let handle else { return false }
        do throws(PostgresError) {
            while !handle.isBroken, deadline > .now {
                if try await nextResult(handle, query: "cancel", until: deadline)?.status == PGRES_PIPELINE_SYNC { return true }
            }
        } catch {
            return false
        }
        return false
    }
}
