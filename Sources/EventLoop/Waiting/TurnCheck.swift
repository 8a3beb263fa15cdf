internal import Host

/// Proves that every loop still turns: each has run what it was given at the check before.
package final class TurnCheck: Sendable {
    private let loops: [EventLoop]
    /// Whether each loop has yet to run what it was given.
    private let isWaiting: Locked<[Bool]>

    package init(_ loops: [EventLoop]) {
        self.loops = loops
        isWaiting = Locked(loops.map { _ in false })
    }

    /// Returns the names of the loops that have not turned since the last call, and gives the others something to run until the next.
    package func late() -> [String] {
        let waiting = isWaiting.withLock { $0 }
        for (index, loop) in loops.enumerated() where !waiting[index] {
            isWaiting.withLock { $0[index] = true }
            do throws(EventLoopError) {
                try loop.submit(named: "watchdog") { [isWaiting] in isWaiting.withLock { $0[index] = false } }
            } catch {
                // It has stopped in an orderly way.
                isWaiting.withLock { $0[index] = false }
            }
        }
        return zip(loops, waiting).filter(\.1).map(\.0.name)
    }
}
