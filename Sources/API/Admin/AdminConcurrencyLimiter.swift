internal import HTTPMessages
internal import Host

/// A limit on the admin requests that use the database of an event loop at the same time, so that page requests find a
/// free connection.
final class AdminConcurrencyLimiter: Sendable {
    private enum Outcome {
        case admitted, full, cancelled
    }

    private struct State {
        var taken = 0
        var queued = 0
        var waiting = ParkedTasks<Void, Outcome>()
    }

    /// The number of requests that may wait for a permit. Further requests are rejected.
    private static let maxWaiting = 16

    private let permits: Int
    private let state = Locked(State())

    /// Creates a limiter that permits half of the connections, and at least one.
    init(connections: Int) { permits = max(1, connections / 2) }

    var waiting: Int { state.withLock { $0.queued } }

    /// Runs a body as soon as a permit is free, in the order of the calls. Throws 503 if too many requests wait.
    func withPermit<Result>(_ body: () async throws -> Result) async throws -> Result {
        switch await acquire() {
        case .admitted: break
        case .full:
            throw Problem(
                .unavailable, code: "adminOverloaded", detail: "The server is handling too many admin requests. Try again later.")
        case .cancelled: throw CancellationError()
        }
        defer { release() }
        return try await body()
    }

    private func acquire() async -> Outcome {
        let known: Outcome? = state.withLock { state in
            if tryAcquire(&state) { return .admitted }
            guard state.queued < Self.maxWaiting else { return .full }
            state.queued += 1
            return nil
        }
        if let known { return known }
        defer { state.withLock { $0.queued -= 1 } }
        return await state.park(among: \.waiting, for: (), whenCancelled: .cancelled) { tryAcquire(&$0) ? .admitted : nil }
    }

    private func tryAcquire(_ state: inout State) -> Bool {
        guard state.taken < permits else { return false }
        state.taken += 1
        return true
    }

    /// Passes the permit to the next waiting request.
    private func release() {
        let next = state.withLock { state in
            let next = state.waiting.removeFirst()
            if next == nil { state.taken -= 1 }
            return next
        }
        next?.resume(.admitted)
    }
}
