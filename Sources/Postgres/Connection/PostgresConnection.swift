internal import CPostgres
package import EventLoop
internal import Glibc

/// A session with the server, which belongs to one task at a time and to the thread of its loop.
///
/// Its calls come from tasks that prefer the loop, one at a time. After a failure it is either usable or closed, and `isUsable` says which.
package final class PostgresConnection: @unchecked Sendable {
    // Unchecked: everything is touched on the loop's thread alone, which each call checks.
    enum State {
        case idle
        /// A call has sent something and waits for its end.
        case busy
        /// Shut down under a call, which closes it at its end.
        case closing
        case closed
    }

    package let loop: EventLoop
    let cancelGrace: Duration
    var statements: StatementCache
    private(set) var state = State.idle
    private(set) var handle: Handle?
    var watch: Watch?
    /// Of a session that waits for its next user.
    var onLoss: (() -> Void)?

    init(_ handle: Handle, loop: EventLoop, _ configuration: PostgresConfiguration) {
        self.handle = handle
        statements = StatementCache(capacity: configuration.preparedStatements)
        self.loop = loop
        cancelGrace = configuration.cancelGrace
    }

    deinit {
        guard let watch else { return }
        // Handed over with the last reference, so that nobody else has it.
        nonisolated(unsafe) let last = watch
        // A loop that stops has cancelled it.
        do throws(EventLoopError) { try loop.submit(named: "postgres: close") { unsafe last.cancel() } } catch {}
    }

    /// Whether the next call finds an open session with nothing left over from the last one.
    package var isUsable: Bool { state == .idle && transactionState == .none }

    package var isClosed: Bool { state == .closed }

    /// The server's process, as `pg_stat_activity` lists it.
    package var serverProcess: Int32 {
        guard let handle else { return 0 }
        return unsafe PQbackendPID(handle.pointer)
    }

    /// Ends the session. A call that waits ends with `connectionLost`.
    package func close() {
        loop.checkIsolated()
        switch state {
        case .idle: abandon()
        case .busy:
            state = .closing
            if let handle { _ = shutdown(handle.socket, Int32(SHUT_RDWR)) }
        case .closing, .closed: break
        }
    }

    /// Closes the descriptor without waiting for anybody.
    func abandon() {
        state = .closed
        watch?.cancel()
        watch = nil
        onLoss = nil
        handle = nil
    }

    /// Keeps other calls out until `endCall`. A call that nobody waits for any more is not begun, to spare the server.
    func beginCall(_ query: String, until deadline: Deadline) throws(PostgresError) -> Handle {
        loop.checkIsolated()
        guard state != .busy else { throw PostgresError(.misuse, "the connection is busy with another call", query: query) }
        guard state == .idle, let handle else { throw PostgresError(.connectionClosed, "the connection is closed", query: query) }
        guard !Task.isCancelled else { throw PostgresError(.cancelled, "cancelled before anything was sent", query: query) }
        guard deadline > .now else { throw PostgresError(.deadlinePassed, "the deadline passed before anything was sent", query: query) }
        handle.warnings.clear()
        state = .busy
        return handle
    }

    func endCall() {
        switch state {
        case .busy: state = .idle
        case .closing: abandon()
        case .idle, .closed: break
        }
    }
}
