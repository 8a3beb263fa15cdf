internal import Host

/// A cache of values that are built once for all requests that need the same value at the same time. Its size is
/// limited in bytes.
final class SharedBuildCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        case built(Value)
        case failed(any Error)
        /// The builder was canceled before the value was ready.
        case abandoned
    }

    private typealias Joiner = UnsafeContinuation<Found, Never>

    /// A build of one generation. A request after a publication does not receive a value whose build started before it.
    private struct Build: Hashable, Sendable {
        let key: Key
        let generation: Int
    }

    private struct Building {
        let builder: ObjectIdentifier
        /// The tasks that wait for the build. The list is changed in place, because it may have thousands of entries.
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

    /// Creates an empty cache. `maxBuilding` is the number of values that each builder builds at the same time. The
    /// number of tasks that wait for a build is not limited.
    init(maxBytes: Int, maxBuilding: Int = .max, size: @escaping @Sendable (Key, Value) -> Int) {
        self.maxBytes = maxBytes
        self.maxBuilding = maxBuilding
        self.size = size
        state = Locked(State(built: RecentlyUsed(limit: maxBytes)))
    }

    /// The size of the cached values and their keys.
    var bytes: Int { state.withLock { $0.built.size } }

    var count: Int { state.withLock { $0.built.count } }

    var uses: Int { state.withLock { $0.uses } }

    /// Returns the cached value, or waits for a build of it, or builds it. `builder` is an object such as an event
    /// loop.
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

    /// Removes all values after a publication. Running builds may be older, so their values are not cached.
    func removeAll() {
        // Freed after the lock is released: there may be many.
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
        /// The caller has to build the value.
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
