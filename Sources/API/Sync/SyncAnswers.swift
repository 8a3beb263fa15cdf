internal import Host

/// Answers that were built once for all who ask the same, until something is published.
final class SyncAnswers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        case built(Value)
        case failed(any Error)
        /// Whoever built it has gone before it was ready.
        case abandoned
    }

    private typealias Joiner = UnsafeContinuation<Outcome?, Never>

    private struct Built {
        let value: Value
        let size: Int
        var use: Int
    }

    private struct State {
        /// Those who wait for what somebody builds; a list that grows in its place, as it may have thousands.
        var building: [Key: [Joiner]] = [:]
        var built: [Key: Built] = [:]
        var generation = 0
        var uses = 0
        var size = 0
    }

    /// Nobody builds one more.
    struct TooMany: Error {}

    private let state = Locked(State())
    private let mostBytes: Int
    private let mostBuilding: Int
    private let size: @Sendable (Key, Value) -> Int

    /// `mostBuilding` are built at once; who asks for one of these is none more.
    init(mostBytes: Int, mostBuilding: Int = .max, size: @escaping @Sendable (Key, Value) -> Int) {
        self.mostBytes = mostBytes
        self.mostBuilding = mostBuilding
        self.size = size
    }

    /// How much is kept, keys included.
    var bytes: Int { state.withLock { $0.size } }

    /// How often anybody has asked.
    var uses: Int { state.withLock { $0.uses } }

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
            state.built = [:]
        }
    }

    /// Nil where the caller is to build it.
    private func find(_ key: Key) async -> Outcome? {
        await withUnsafeContinuation { (joiner: Joiner) in
            let known: Found = state.withLock { state in
                state.uses += 1
                if let built = state.built[key] {
                    state.built[key]?.use = state.uses
                    return .outcome(.built(built.value))
                }
                if state.building[key]?.append(joiner) != nil { return .later }
                guard state.building.count < mostBuilding else { return .outcome(.failed(TooMany())) }
                state.building[key] = []
                return .outcome(nil)
            }
            if case .outcome(let outcome) = known { joiner.resume(returning: outcome) }
        }
    }

    private enum Found {
        case outcome(Outcome?)
        case later
    }

    private func settle(_ key: Key, _ outcome: Outcome, _ generation: Int) {
        let joiners = state.withLock { state -> [Joiner] in
            guard let joiners = state.building.removeValue(forKey: key) else { return [] }
            if case .built(let value) = outcome, state.generation == generation {
                let size = size(key, value)
                state.built[key] = Built(value: value, size: size, use: state.uses)
                state.size += size
                shrink(&state)
            }
            return joiners
        }
        for joiner in joiners { joiner.resume(returning: outcome) }
    }

    /// Drops what was not asked for the longest.
    private func shrink(_ state: inout State) {
        guard state.size > mostBytes else { return }
        for (key, entry) in state.built.sorted(by: { $0.value.use < $1.value.use }) {
            guard state.size > mostBytes / 2 else { return }
            state.built[key] = nil
            state.size -= entry.size
        }
    }
}
