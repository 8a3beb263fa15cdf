internal import CPostgres
internal import EventLoop

extension PostgresConnection {
    /// The pause between two cancel requests.
    static let cancelPause = Duration.milliseconds(500)

    /// Cancels the running query and reads its end. The connection is usable or closed afterwards.
    ///
    /// Runs in its own task, because the calling task may be canceled. The result is read only after the cancel
    /// connection has ended, because a late cancel request would hit the next query. A cancel request that overtakes
    /// its query has no effect, so it is repeated until the server responds.
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

/// A cancel request that another thread can send.
@safe final class CancelRequest: @unchecked Sendable {
    // Unchecked: libpq never changes the object after it is made.
    private let pointer: OpaquePointer

    init?(_ handle: Handle) {
        guard let pointer = unsafe PQgetCancel(handle.pointer) else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe PQfreeCancel(pointer) }

    /// Blocks until the server has processed the request or the network fails. Returns whether it was delivered.
    func send() -> Bool {
        var message = [CChar](repeating: 0, count: 256)
        return unsafe PQcancel(pointer, &message, 256) == 1
    }
}
