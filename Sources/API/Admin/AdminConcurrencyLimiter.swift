internal import HTTPMessages
internal import Host

/// So many curators are at work in the database at once on a loop, so that whoever is shown a page finds a connection.
final class AdminConcurrencyLimiter: Sendable {
    private enum Outcome {
        case admitted, full, cancelled
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

    private let permits: Int
    private let state = Locked(State())

    /// Half of the connections, and one at least.
    init(connections: Int) { permits = max(1, connections / 2) }

    /// How many wait for a permit.
    var waiting: Int { state.withLock { $0.queued } }

    /// Runs a body as soon as there is a permit, in the order in which they came; throws 503 where too many wait.
    func withPermit<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        switch await acquire() {
        case .admitted: break
        case .full:
            throw Problem(.unavailable, code: "curatorsBusy", detail: "Too many changes and reviews are being worked on. Try again.")
        case .cancelled: throw CancellationError()
        }
        defer { release() }
        return try await body()
    }

    private func acquire() async -> Outcome {
        let (known, id): (Outcome?, Int) = state.withLock { state in
            if tryAcquire(&state) { return (.admitted, 0) }
            guard state.queued < Self.mostWaiting else { return (.full, 0) }
            state.queued += 1
            state.lastID += 1
            return (nil, state.lastID)
        }
        if let known { return known }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Outcome, Never>) in
                let known: Outcome? = state.withLock { state in
                    if state.gone.contains(id) { return .cancelled }
                    if tryAcquire(&state) { return .admitted }
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
            waiter?.continuation.resume(returning: .cancelled)
        }
        state.withLock { state in
            state.queued -= 1
            state.gone.remove(id)
        }
        return outcome
    }

    private func tryAcquire(_ state: inout State) -> Bool {
        guard state.taken < permits else { return false }
        state.taken += 1
        return true
    }

    /// The permit goes to the next who waits.
    private func release() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.taken -= 1
            return nil
        }
        next?.continuation.resume(returning: .admitted)
    }
}
