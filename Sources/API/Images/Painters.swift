package import EventLoop
internal import Host

/// The threads that draw images, each one image at a time. They have the lowest priority, so that pages do not wait for
/// them.
package final class Painters: Sendable {
    private enum Outcome: Sendable {
        case admitted(EventLoop)
        case cancelled
    }

    private struct State {
        var free: [EventLoop]
        var waiting = ParkedTasks<Void, Outcome>()
    }

    let count: Int
    private let relay: EventLoop
    private let state: Locked<State>

    /// Starts a painter on each loop. A thread of low priority may lose its core at any time, so it takes no lock that
    /// loops wait for: `relay`, a loop of normal priority without requests, receives its results.
    package init(_ loops: [EventLoop], relay: EventLoop) {
        count = loops.count
        self.relay = relay
        state = Locked(State(free: loops))
    }

    /// Runs a body on a thread as soon as one is free, in the order of the calls.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let outcome = await state.park(among: \.waiting, for: (), whenCancelled: .cancelled) { $0.free.popLast().map(Outcome.admitted) }
        guard case .admitted(let loop) = outcome else { throw CancellationError() }
        defer { release(loop) }
        return try await withTaskExecutorPreference(relay) {
            try await withTaskExecutorPreference(loop) {
                SystemInfo.lowerPriority()
                return try body()
            }
        }
    }

    /// Passes the thread to the next waiting call.
    private func release(_ loop: EventLoop) {
        let next = state.withLock { state in
            let next = state.waiting.removeFirst()
            if next == nil { state.free.append(loop) }
            return next
        }
        next?.resume(.admitted(loop))
    }
}
