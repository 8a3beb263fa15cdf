internal import Host

/// Values that are built once for all requests that need the same one at the same time, and kept within a limit of bytes.
final class SharedBuildCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        case built(Value)
        case failed(any Error)
        /// Whoever built it has gone before it was ready.
        case abandoned
    }

    private typealias Joiner = UnsafeContinuation<Found, Never>

    /// A build is of one generation: who asks after a publication does not get what was begun before it.
    private struct Build: Hashable, Sendable {
        let key: Key
        let generation: Int
    }

    private struct Building {
        let builder: ObjectIdentifier
        /// Those who wait for it; a list that grows in its place, as it may have thousands.
        var joiners: [Joiner] = []
    }

    private struct State {
        var building: [Build: Building] = [:]
        var builds: [ObjectIdentifier: Int] = [:]
        var built: RecentlyUsed<Key, Value>
        var generation = 0
        var uses = 0
    }

    struct TooMany: Error {}

    private let state: Locked<State>
    private let maxBytes: Int
    private let maxBuilding: Int
    private let size: @Sendable (Key, Value) -> Int

    /// `maxBuilding` are built by each builder at the same time; to wait for one of these is not limited.
    init(maxBytes: Int, maxBuilding: Int = .max, size: @escaping @Sendable (Key, Value) -> Int) {
        self.maxBytes = maxBytes
        self.maxBuilding = maxBuilding
        self.size = size
        state = Locked(State(built: RecentlyUsed(limit: maxBytes)))
    }

    /// How much is kept, keys included.
    var bytes: Int { state.withLock { $0.built.size } }

    var count: Int { state.withLock { $0.built.count } }

    var uses: Int { state.withLock { $0.uses } }

    /// The answer that is there, or that somebody is building, or else one that is built now, for a builder such as a loop.
    func value(of key: Key, for builder: some AnyObject, build: () async throws -> Value) async throws -> Value {
        while true {
            switch await find(key, ObjectIdentifier(builder)) {
            case .outcome(.built(let value)): return value
            case .outcome(.failed(let error)): throw error
            case .outcome(.abandoned): try Task.checkCancellation()
            case .started(let started):
                do {
                    let value = try await build()
                    settle(started, .built(value))
                    return value
                } catch {
                    settle(started, Task.isCancelled ? .abandoned : .failed(error))
                    throw error
                }
            }
        }
    }

    /// Something was published: what is being built may be older.
    func removeAll() {
        // Freed behind the lock: there may be many.
        let old = state.withLock { state in
            let old = state.built
            state.generation += 1
            state.built = RecentlyUsed(limit: maxBytes)
            return old
        }
        withExtendedLifetime(old) {}
    }

    private enum Found: Sendable {
        case outcome(Outcome)
        /// The caller is to build it.
        case started(Build)
    }

    private func find(_ key: Key, _ builder: ObjectIdentifier) async -> Found {
        await withUnsafeContinuation { (joiner: Joiner) in
            let found: Found? = state.withLock { state in
                state.uses += 1
                if let value = state.built.value(of: key) { return .outcome(.built(value)) }
                let build = Build(key: key, generation: state.generation)
                if state.building[build]?.joiners.append(joiner) != nil { return nil }
                guard state.builds[builder, default: 0] < maxBuilding else { return .outcome(.failed(TooMany())) }
                state.builds[builder, default: 0] += 1
                state.building[build] = Building(builder: builder)
                return .started(build)
            }
            if let found { joiner.resume(returning: found) }
        }
    }

    private func settle(_ build: Build, _ outcome: Outcome) {
        let joiners = state.withLock { state -> [Joiner] in
            guard let building = state.building.removeValue(forKey: build) else { return [] }
            state.builds[building.builder, default: 1] -= 1
            if case .built(let value) = outcome, state.generation == build.generation {
                state.built.insert(value, build.key, size: size(build.key, value))
            }
            return building.joiners
        }
        for joiner in joiners { joiner.resume(returning: .outcome(outcome)) }
    }
}
