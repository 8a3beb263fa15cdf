internal import Host

/// Answers that were built once for all who ask the same, until something is published.
final class SyncAnswers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        case built(Value)
        case failed(any Error)
        /// Whoever built it has gone before it was ready.
        case abandoned
    }

    private enum Entry {
        case building([UnsafeContinuation<Outcome?, Never>])
        case built(Value, size: Int, use: Int)
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var generation = 0
        var uses = 0
        var size = 0
    }

    private let state = Locked(State())
    private let mostBytes: Int
    private let size: @Sendable (Value) -> Int

    init(mostBytes: Int, size: @escaping @Sendable (Value) -> Int) {
        self.mostBytes = mostBytes
        self.size = size
    }

    /// The answer that is there, or that somebody is building, or else one that is built now.
    func value(of key: Key, build: () async throws -> Value) async throws -> Value {
        while true {
            switch await find(key) {
            case .built(let value)?: return value
            case .failed(let error)?: throw error
            case .abandoned?: try Task.checkCancellation()
            case nil:
                let generation = state.withLock { $0.generation }
                do {
                    let value = try await build()
                    settle(key, .built(value), generation)
                    return value
                } catch {
                    settle(key, Task.isCancelled ? .abandoned : .failed(error), generation)
                    throw error
                }
            }
        }
    }

    /// Something was published: what is being built may be older.
    func removeAll() {
        state.withLock { state in
            state.generation += 1
            state.size = 0
            state.entries = state.entries.filter { if case .building = $0.value { true } else { false } }
        }
    }

    /// Nil where the caller is to build it.
    private func find(_ key: Key) async -> Outcome? {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Outcome?, Never>) in
            let known: Found = state.withLock { state in
                state.uses += 1
                switch state.entries[key] {
                case .built(let value, let size, _)?:
                    state.entries[key] = .built(value, size: size, use: state.uses)
                    return .outcome(.built(value))
                case .building(let waiting)?:
                    state.entries[key] = .building(waiting + [continuation])
                    return .later
                case nil:
                    state.entries[key] = .building([])
                    return .outcome(nil)
                }
            }
            if case .outcome(let outcome) = known { continuation.resume(returning: outcome) }
        }
    }

    private enum Found {
        case outcome(Outcome?)
        case later
    }

    private func settle(_ key: Key, _ outcome: Outcome, _ generation: Int) {
        let waiting = state.withLock { state -> [UnsafeContinuation<Outcome?, Never>] in
            guard case .building(let waiting)? = state.entries[key] else { return [] }
            state.entries[key] = nil
            if case .built(let value) = outcome, state.generation == generation {
                let size = size(value)
                state.entries[key] = .built(value, size: size, use: state.uses)
                state.size += size
                shrink(&state)
            }
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    /// Drops what was not asked for the longest.
    private func shrink(_ state: inout State) {
        guard state.size > mostBytes else { return }
        let built = state.entries.compactMap { key, entry in
            if case .built(_, let size, let use) = entry { (key: key, size: size, use: use) } else { nil }
        }
        for entry in built.sorted(by: { $0.use < $1.use }) {
            guard state.size > mostBytes / 2 else { return }
            state.entries[entry.key] = nil
            state.size -= entry.size
        }
    }
}
