internal import CPostgres
package import EventLoop
internal import Glibc
internal import Host

/// A database session, which belongs to one task at a time and to the thread of its event loop.
///
/// Its calls come one at a time from tasks that prefer the loop. After an error it is either usable or closed, as
/// `isUsable` reports.
package final class PostgresConnection: @unchecked Sendable {
    // Unchecked: all state is accessed only on the loop's thread, which each call checks.
    enum State {
        case idle
        /// A call has sent something and waits for its completion.
        case busy
        /// `close` was called during a call, which closes the connection when it ends.
        case closing
        case closed
    }

    package let loop: EventLoop
    let cancelGrace: Duration
    var statements: StatementCache
    /// The number of calls, each of which waits for the server at least once.
    package private(set) var callCount = 0
    private(set) var state = State.idle
    private(set) var handle: Handle?
    var watch: Watch?
    /// The callback for a session that ends while it is idle in the pool.
    var onLoss: (() -> Void)?

    init(_ handle: Handle, loop: EventLoop, _ configuration: PostgresConfiguration) {
        self.handle = handle
        statements = StatementCache(capacity: configuration.preparedStatements)
        self.loop = loop
        cancelGrace = configuration.cancelGrace
    }

    deinit {
        guard let watch else { return }
        // Submitted with the last reference, so that no other thread has it.
        nonisolated(unsafe) let last = watch
        // A stopping loop has already canceled the watch.
        do throws(EventLoopError) { try loop.submit(named: "postgres: close") { unsafe last.cancel() } } catch {}
    }

    /// Whether the session is idle and outside a transaction.
    package var isUsable: Bool { state == .idle && transactionState == .none }

    package var isClosed: Bool { state == .closed }

    /// The process ID of the server's backend, as `pg_stat_activity` lists it.
    package var serverProcess: Int32 {
        guard let handle else { return 0 }
        return unsafe PQbackendPID(handle.pointer)
    }

    /// Ends the session. A pending call ends with `connectionLost`.
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

    /// Closes the socket without waiting for a pending call.
    func abandon() {
        state = .closed
        watch?.cancel()
        watch = nil
        onLoss = nil
        handle = nil
    }

    /// Blocks other calls until `endCall`. Throws if the task is canceled or the deadline has passed, to spare the
    /// server the query.
    func startCall(_ query: String, until deadline: Deadline) throws(PostgresError) -> Handle {
        loop.checkIsolated()
        guard state != .busy else { throw PostgresError(.misuse, "the connection is busy with another call", query: query) }
        guard state == .idle, let handle else { throw PostgresError(.connectionClosed, "the connection is closed", query: query) }
        guard !Task.isCancelled else { throw PostgresError(.cancelled, "canceled before the query was sent", query: query) }
        guard deadline > .now else { throw PostgresError(.deadlinePassed, "the deadline passed before the query was sent", query: query) }
        handle.warnings.clear()
        callCount += 1
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

extension PostgresConnection {
    /// Rolls back an open transaction or sends an empty query. Returns whether the connection is usable.
    package func check(until deadline: Deadline) async -> Bool {
        do throws(PostgresError) {
            if transactionState == .none {
                try await run(PostgresQuery("check", "SELECT", isPrepared: false), until: deadline)
            } else {
                try await run(PostgresQuery("rollback", "ROLLBACK"), until: deadline)
            }
        } catch {
            return false
        }
        return isUsable
    }
}

extension PostgresConnection {
    enum TransactionState {
        case none
        case open
        case failed
    }

    /// The transaction state after the last response.
    var transactionState: TransactionState {
        guard let handle else { return .none }
        return switch unsafe PQtransactionStatus(handle.pointer) {
        case PQTRANS_INTRANS, PQTRANS_ACTIVE: .open
        case PQTRANS_INERROR: .failed
        default: .none
        }
    }
}

extension PostgresConnection {
    /// Calls `lost` once and closes the connection if the server ends the session before `endIdling`.
    func startIdling(_ lost: @escaping () -> Void) throws(EventLoopError) {
        guard let handle else { return }
        onLoss = lost
        try socketWatch(handle).resume()
    }

    func endIdling() { onLoss = nil }

    /// Returns the watch that all waits of the session share, which avoids a registration for each wait.
    func socketWatch(_ handle: Handle) throws(EventLoopError) -> Watch {
        if let watch { return watch }
        // When the connection is lost, libpq closes its descriptor, and its number may be reused. The duplicate keeps
        // the number taken.
        let socket = Descriptor(owning: fcntl(handle.socket, F_DUPFD_CLOEXEC, 0))
        let watch = try loop.watch(socket.number, for: .readable, named: "postgres: query") { [weak self] _ in
            _ = socket.number
            self?.becameReadable()
        }
        self.watch = watch
        return watch
    }

    /// Handles input that arrives while no call is waiting.
    private func becameReadable() {
        guard let handle, let lost = onLoss, state == .idle else { return watch?.pause() ?? () }
        // libpq handles messages to an idle session, such as a changed parameter.
        guard unsafe PQconsumeInput(handle.pointer) == 0 || handle.isBroken else { return }
        abandon()
        lost()
    }
}

extension PostgresConnection {
    /// Connects to the first server of the configuration that accepts the session. If none does, throws the last error.
    ///
    /// Each address has the configuration's `connectTimeout`, and the deadline limits all of them together. Call it
    /// from a task that prefers the loop.
    package static func connect(
        _ configuration: PostgresConfiguration, on loop: EventLoop, until deadline: Deadline
    ) async throws(PostgresError) -> PostgresConnection {
        loop.checkIsolated()
        let parameters = try ConnectionParameters(configuration)
        var failure = PostgresError(.connectFailed, "the server name has no address")
        for endpoint in parameters.endpoints {
            do throws(PostgresError) {
                return try await connect(parameters, to: endpoint, configuration, on: loop, until: deadline)
            } catch {
                failure = error
                // Another server would reject this user too, and a canceled task needs no connection.
                guard error.code != .cancelled, error.sqlState?.category != "28", deadline > .now else { throw error }
            }
        }
        throw failure
    }

    private static func connect(
        _ parameters: ConnectionParameters, to endpoint: Endpoint, _ configuration: PostgresConfiguration, on loop: EventLoop,
        until deadline: Deadline
    ) async throws(PostgresError) -> PostgresConnection {
        var failure = PostgresError(.connectFailed, "connect: the server name has no address")
        for candidate in try await resolve(endpoint, on: loop, until: min(deadline, .after(parameters.connectTimeout))) {
            do throws(PostgresError) {
                let handle = try await open(
                    parameters.parameters(for: candidate), on: loop, until: min(deadline, .after(parameters.connectTimeout)))
                return PostgresConnection(handle, loop: loop, configuration)
            } catch {
                failure = error
                guard error.code != .cancelled, error.sqlState?.category != "28", deadline > .now else { throw error }
            }
        }
        throw failure
    }

    private static func resolve(
        _ endpoint: Endpoint, on loop: EventLoop, until deadline: Deadline
    ) async throws(PostgresError) -> [Endpoint] {
        guard endpoint.needsResolution else { return [endpoint] }
        let addresses = try await BlockingCall.run("postgres: look up a name", on: loop, until: deadline) {
            AddressLookup.addresses(of: endpoint.host)
        }
        return addresses.map { Endpoint(host: endpoint.host, address: $0, port: endpoint.port) }
    }

    private static func open(
        _ parameters: [(name: String, value: String)], on loop: EventLoop, until deadline: Deadline
    ) async throws(PostgresError) -> Handle {
        guard let handle = Handle(connectingWith: parameters) else { throw PostgresError(.connectFailed, "connect: out of memory") }
        guard !handle.isBroken else { throw PostgresError(connectFailure: handle.message) }
        var interest = Readiness.writable
        while true {
            do throws(EventLoopError) {
                try await loop.wait(for: interest, on: handle.socket, until: deadline, named: "postgres: connect")
            } catch {
                throw PostgresError(error, query: nil)
            }
            switch unsafe PQconnectPoll(handle.pointer) {
            case PGRES_POLLING_OK:
                guard unsafe PQsetnonblocking(handle.pointer, 1) == 0, unsafe PQenterPipelineMode(handle.pointer) == 1 else {
                    throw PostgresError(connectFailure: handle.message)
                }
                return handle
            case PGRES_POLLING_READING: interest = .readable
            case PGRES_POLLING_WRITING: interest = .writable
            default: throw PostgresError(connectFailure: handle.message)
            }
        }
    }
}
