internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host

/// Work that would hold up a loop, done by the threads of the runtime while the loop serves others.
final class SideWork: Sendable {
    /// Bodies of more bytes are compressed beside the loop: 32 KiB take about half a millisecond.
    static let smallest = 32_768

    private let limit: Int
    private let running = Locked<[ObjectIdentifier: Int]>([:])
    private let started = Locked(0)
    /// The compressions that run. Nothing is kept of them: each representation keeps its own bytes.
    private let compressions: SharedBuildCache<Representation.Compression, Representation>

    /// `limit` is how much is done at the same time for each loop, and how many representations are compressed.
    init(limit: Int = 8) {
        self.limit = limit
        compressions = SharedBuildCache(maxBytes: 0, maxBuilding: limit) { _, _ in 1 }
    }

    var compressionCount: Int { started.withLock { $0 } }

    /// The result, awaited without the loop; nil, immediately, if as much is being done for the loop as may.
    func run<Result: Sendable>(for loop: EventLoop, _ work: @escaping @Sendable () throws -> Result) async throws -> Result? {
        guard admit(loop) else { return nil }
        defer { leave(loop) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    /// Compresses for a client like this one, once for all requests that need the same bytes at the same time. Returns false, immediately, if
    /// as many others are being compressed for the loop as may.
    func compress(_ representation: Representation, for head: RequestHead, on loop: EventLoop) async throws -> Bool {
        guard let compression = representation.compression(for: head) else { return true }
        do {
            let made = try await compressions.value(of: compression, for: loop) {
                // Another request may have finished it after the question above.
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

    /// How much is done for a loop, without compressions.
    func count(for loop: EventLoop) -> Int { running.withLock { $0[ObjectIdentifier(loop), default: 0] } }

    private func admit(_ loop: EventLoop) -> Bool {
        running.withLock { running in
            guard running[ObjectIdentifier(loop), default: 0] < limit else { return false }
            running[ObjectIdentifier(loop), default: 0] += 1
            return true
        }
    }

    private func leave(_ loop: EventLoop) { running.withLock { $0[ObjectIdentifier(loop), default: 1] -= 1 } }
}
