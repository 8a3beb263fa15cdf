internal import HTTPMessages
internal import Host

/// So many curators are at work in the database at once on a loop, so that whoever is shown a page finds a connection.
final class AdminConcurrencyLimiter: Sendable {
    private enum Outcome {
        case admitted, full, cancelled
    }

    private struct State {
        var taken = 0
        var queued = 0
        var waiting = ParkedTasks<Void, Outcome>()
    }

    /// Who waits behind so many is sent away.
    private static let maxWaiting = 16

    private let permits: Int
    private let state = Locked(State())

    /// Half of the connections, and one at least.
    init(connections: Int) { permits = max(1, connections / 2) }

    var waiting: Int { state.withLock { $0.queued } }

    /// Runs a body as soon as there is a permit, in the order in which they came; throws 503 where too many wait.
    func withPermit<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        switch await acquire() {
        case .admitted: break
        case .full:
            throw Problem(
                .unavailable, code: "adminOverloaded", detail: "The server is handling too many changes and reviews. Try again later.")
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

    /// The permit goes to the next who waits.
    private func release() {
        let next = state.withLock { state in
            let next = state.waiting.removeFirst()
            if next == nil { state.taken -= 1 }
            return next
        }
        next?.resume(.admitted)
    }
}
