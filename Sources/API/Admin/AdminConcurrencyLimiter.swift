internal import HTTPMessages
internal import Host

/// So many curators are at work in the database at once on a loop, so that whoever is shown a page finds a connection.
final class AdminConcurrencyLimiter: Sendable {
    private enum Outcome {
        case seated, full, left
    }

    private struct Waiter {
        let id: Int
        let continuation: UnsafeContinuation<Outcome, Never>
    }

    private struct State {
        var taken = 0
        /// Those who wait, or are about to.
        var queued = 0
        var waiting: [Waiter] = []
        var lastID = 0
        /// Those who left before they began to wait.
        var gone: Set<Int> = []
    }

    /// Who waits behind so many is sent away.
    private static let mostWaiting = 16

    private let desks: Int
    private let state = Locked(State())

    /// Half of the connections, and one at least.
    init(connections: Int) { desks = max(1, connections / 2) }

    /// How many wait for a desk.
    var waiting: Int { state.withLock { $0.queued } }

    /// Runs a body as soon as there is a desk, in the order in which they came; throws 503 where too many wait.
    func seated<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        switch await enter() {
        case .seated: break
        case .full:
            throw Problem(.unavailable, code: "curatorsBusy", detail: "Too many changes and reviews are being worked on. Try again.")
        case .left: throw CancellationError()
        }
        defer { leave() }
        return try await body()
    }

    private func enter() async -> Outcome {
        let (known, id): (Outcome?, Int) = state.withLock { state in
            if sit(&state) { return (.seated, 0) }
            guard state.queued < Self.mostWaiting else { return (.full, 0) }
            state.queued += 1
            state.lastID += 1
            return (nil, state.lastID)
        }
        if let known { return known }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Outcome, Never>) in
                let known: Outcome? = state.withLock { state in
                    if state.gone.contains(id) { return .left }
                    if sit(&state) { return .seated }
                    state.waiting.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.gone.insert(id)
                    return nil
                }
                return state.waiting.remove(at: place)
            }
            waiter?.continuation.resume(returning: .left)
        }
        state.withLock { state in
            state.queued -= 1
            state.gone.remove(id)
        }
        return outcome
    }

    private func sit(_ state: inout State) -> Bool {
        guard state.taken < desks else { return false }
        state.taken += 1
        return true
    }

    /// The desk goes to the next who waits.
    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.taken -= 1
            return nil
        }
        next?.continuation.resume(returning: .seated)
    }
}
