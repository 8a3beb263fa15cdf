internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host

/// Work that would block an event loop. It runs on the threads of the Swift runtime.
final class SideWork: Sendable {
    /// The size above which bodies are compressed outside the event loop. Compressing 32 KiB takes about half a
    /// millisecond.
    static let smallest = 32_768

    private let limit: Int
    private let running = Locked<[ObjectIdentifier: Int]>([:])
    private let started = Locked(0)
    /// The running compressions. Their results are not cached here: each representation keeps its own bytes.
    private let compressions: SharedBuildCache<Representation.Compression, Representation>

    /// Creates the limits. `limit` is the number of tasks for each event loop at the same time, and separately the
    /// number of compressions.
    init(limit: Int = 8) {
        self.limit = limit
        compressions = SharedBuildCache(maxBytes: 0, maxBuilding: limit) { _, _ in 1 }
    }

    var compressionCount: Int { started.withLock { $0 } }

    /// Runs work without blocking the loop and returns its result. Returns nil immediately if the loop has reached its
    /// limit.
    func run<Result: Sendable>(for loop: EventLoop, _ work: @escaping @Sendable () throws -> Result) async throws -> Result? {
        guard admit(loop) else { return nil }
        defer { release(loop) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    /// Compresses a representation for a client, once for all requests that need the same bytes at the same time.
    /// Returns false immediately if the loop has reached its limit.
    func compress(_ representation: Representation, for head: RequestHead, on loop: EventLoop) async throws -> Bool {
        guard let compression = representation.compression(for: head) else { return true }
        do {
            let made = try await compressions.value(of: compression, for: loop) {
                // Another request may have finished it after the check above.
                guard representation.compression(for: head) != nil else { return representation }
                started.withLock { $0 += 1 }
                await withTaskExecutorPreference(globalConcurrentExecutor) { representation.compress(compression) }
                return representation
            }
            if made !== representation { representation.adopt(compression, from: made) }
            return true
        } catch is SharedBuildCache<Representation.Compression, Representation>.TooMany {
            return false
        }
    }

    /// Returns the number of running tasks of a loop, without compressions.
    func count(for loop: EventLoop) -> Int { running.withLock { $0[ObjectIdentifier(loop), default: 0] } }

    private func admit(_ loop: EventLoop) -> Bool {
        running.withLock { running in
            guard running[ObjectIdentifier(loop), default: 0] < limit else { return false }
            running[ObjectIdentifier(loop), default: 0] += 1
            return true
        }
    }

    private func release(_ loop: EventLoop) { running.withLock { $0[ObjectIdentifier(loop), default: 1] -= 1 } }
}
