internal import CPostgres
internal import EventLoop

extension PostgresConnection {
    /// Between one cancellation and the next.
    static let cancelPause = Duration.milliseconds(500)

    /// Cancels what runs on the server and reads its end, so that the connection is usable or closed afterwards.
    ///
    /// In a task of its own, since the one that is waited in may be cancelled. The answer of the server is taken in only after the
    /// cancelling connection has ended: a late cancellation would hit the next query. One that overtakes the query which it is for does
    /// nothing, so it is said again for as long as no answer comes.
    func finishExchange() async {
        await Task(executorPreference: loop) { [self] in
            let deadline = Deadline.after(cancelGrace)
            while let handle, !handle.isBroken, deadline > .now, await cancelOnServer(until: deadline) {
                if await readToSync(handle, until: min(deadline, .after(Self.cancelPause))) { return }
            }
            abandon()
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

    private func readToSync(_ handle: Handle, until deadline: Deadline) async -> Bool {
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

/// What another thread needs to cancel a query.
@safe final class CancelRequest: @unchecked Sendable {
    // Unchecked: libpq never changes the object after it is made.
    private let pointer: OpaquePointer

    init?(_ handle: Handle) {
        guard let pointer = unsafe PQgetCancel(handle.pointer) else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe PQfreeCancel(pointer) }

    /// Blocks until the server has passed it on, or the network gives up; false where it was not delivered.
    func send() -> Bool {
        var message = [CChar](repeating: 0, count: 256)
        return unsafe PQcancel(pointer, &message, 256) == 1
    }
}
