internal import EventLoop
internal import Host

/// Whether the server can do its work, as it was found a moment ago: whoever asks is answered at once.
final class ReadinessCheck: Sendable {
    enum State: Sendable, Equatable {
        case ready
        /// It serves from memory; what it lacks, in words for an operator.
        case degraded(String)
        /// Why not, in words for an operator.
        case notReady(String)
    }

    private struct Known {
        var state = State.notReady("starting")
        var isStopping = false
    }

    private let known = Locked(Known())
    private let inspect: @Sendable (EventLoop) async -> State
    private let changed: @Sendable (State) -> Void

    /// `inspect` asks the database, within a few seconds; `changed` is told when it finds something else than before.
    init(
        changed: @escaping @Sendable (State) -> Void = { _ in }, _ inspect: @escaping @Sendable (EventLoop) async -> State
    ) {
        self.inspect = inspect
        self.changed = changed
    }

    var state: State { known.withLock { $0.isStopping ? .notReady("stopping") : $0.state } }

    /// From now on it is not ready, whatever the database says.
    func beginStopping() { known.withLock { $0.isStopping = true } }

    /// Looks again and again until it is cancelled; for a task that prefers the loop.
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
