internal import EventLoop
internal import Host

/// The readiness of the server as of the last check, so that a request for it never waits.
final class ReadinessCheck: Sendable {
    enum State: Sendable, Equatable {
        case ready
        /// The server serves from memory; the reason, for an operator.
        case degraded(String)
        /// The server is not ready; the reason, for an operator.
        case notReady(String)
    }

    private struct Known {
        var state = State.notReady("starting")
        var isStopping = false
    }

    private let known = Locked(Known())
    private let inspect: @Sendable (EventLoop) async -> State
    private let changed: @Sendable (State) -> Void

    /// Creates a check. `inspect` queries the database within a few seconds. `changed` is called when the result
    /// changes.
    init(
        changed: @escaping @Sendable (State) -> Void = { _ in }, _ inspect: @escaping @Sendable (EventLoop) async -> State
    ) {
        self.inspect = inspect
        self.changed = changed
    }

    var state: State { known.withLock { $0.isStopping ? .notReady("stopping") : $0.state } }

    /// Makes the server not ready from now on, whatever the state of the database.
    func startShutdown() { known.withLock { $0.isStopping = true } }

    /// Repeats the check until it is canceled. The task must prefer the executor `loop`.
    func watch(on loop: EventLoop, pausing pause: Duration = .seconds(1)) async {
        while !Task.isCancelled {
            let found = await inspect(loop)
            let isChange = known.withLock { known in
                defer { known.state = found }
                return known.state != found && !known.isStopping
            }
            if isChange { changed(found) }
            do throws(EventLoopError) { try await loop.sleep(until: .after(pause), named: "readiness") } catch { return }
        }
    }
}
