internal import EventLoop
internal import Host

/// Work that would hold up a loop, done by the threads of the runtime while the loop serves others.
final class SideWork: Sendable {
    /// Bodies of more bytes are compressed beside the loop: 32 KiB take about half a millisecond.
    static let smallest = 32_768

    private let limit: Int
    private let running = Locked<[ObjectIdentifier: Int]>([:])

    /// `limit` is how much is done at the same time for each loop.
    init(limit: Int = 8) { self.limit = limit }

    /// The result, awaited without the loop; nil, immediately, if as much is being done for the loop as may.
    func run<Result: Sendable>(for loop: EventLoop, _ work: @escaping @Sendable () throws -> Result) async throws -> Result? {
        guard admit(loop) else { return nil }
        defer { leave(loop) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    private func admit(_ loop: EventLoop) -> Bool {
        running.withLock { running in
            guard running[ObjectIdentifier(loop), default: 0] < limit else { return false }
            running[ObjectIdentifier(loop), default: 0] += 1
            return true
        }
    }

    private func leave(_ loop: EventLoop) { running.withLock { $0[ObjectIdentifier(loop), default: 1] -= 1 } }
}
