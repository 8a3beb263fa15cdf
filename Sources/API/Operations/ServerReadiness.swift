package import EventLoop
internal import Host

/// Whether the server can do its work; asked at most once a second, however often somebody wants to know.
package final class ServerReadiness: Sendable {
    package enum State: Sendable, Equatable {
        case ready
        /// Why not, in words for an operator.
        case notReady(String)
    }

    private struct Known {
        var state = State.notReady("starting")
        var until = Deadline.now
        var isStopping = false
    }

    private let known = Locked(Known())
    private let look: @Sendable (EventLoop) async -> State

    /// `look` asks the database, within a second or so.
    package init(_ look: @escaping @Sendable (EventLoop) async -> State) { self.look = look }

    /// From now on it is not ready, whatever the database says.
    package func beginStopping() { known.withLock { $0.isStopping = true } }

    package func state(on loop: EventLoop) async -> State {
        let now = Deadline.now
        let (state, isFresh) = known.withLock { known in
            known.isStopping ? (.notReady("stopping"), true) : (known.state, now < known.until)
        }
        if isFresh { return state }
        let found = await look(loop)
        return known.withLock { known in
            known.state = found
            known.until = .after(.seconds(1))
            return known.isStopping ? .notReady("stopping") : found
        }
    }
}
