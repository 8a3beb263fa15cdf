internal import Host

/// A check that every loop is running: each has executed the work that the previous check submitted.
package final class TurnCheck: Sendable {
    private let loops: [EventLoop]
    /// Whether each loop has not yet executed its work.
    private let isWaiting: Locked<[Bool]>

    package init(_ loops: [EventLoop]) {
        self.loops = loops
        isWaiting = Locked(loops.map { _ in false })
    }

    /// Returns the names of the loops that did not run since the last call, and submits work to the others for the next
    /// call.
    package func late() -> [String] {
        let waiting = isWaiting.withLock { $0 }
        for (index, loop) in loops.enumerated() where !waiting[index] {
            isWaiting.withLock { $0[index] = true }
            do throws(EventLoopError) {
                try loop.submit(named: "watchdog") { [isWaiting] in isWaiting.withLock { $0[index] = false } }
            } catch {
                // The loop was stopped as intended.
                isWaiting.withLock { $0[index] = false }
            }
        }
        return zip(loops, waiting).filter(\.1).map(\.0.name)
    }
}
