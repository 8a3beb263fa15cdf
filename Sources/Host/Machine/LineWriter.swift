internal import Glibc

/// Writes lines on a thread of its own, so that no caller waits for a reader that is slow or gone.
///
/// The queue is bounded in bytes. A line that finds it full is dropped and counted.
@safe package final class LineWriter: @unchecked Sendable {
    // Unchecked: the semaphore's address never changes, and its calls may come from any thread.
    private struct Queue {
        var lines: [[UInt8]] = []
        var bytes = 0
        var dropped = 0
        /// Whether the thread has lines that it has not written yet.
        var isWriting = false
        var isClosed = false
        var flushes: [BlockingPromise<Void>] = []
    }

    private let queue = Locked(Queue())
    private let limit: Int
    private let arrival: UnsafeMutablePointer<sem_t>
    private let deliver: @Sendable ([UInt8]) -> Bool

    /// Starts the thread, which ends after `close`. At most `limit` bytes wait to be written. `deliver` writes one line and may take its time; it
    /// returns false if the line is lost.
    package init(limit: Int = 1 << 20, _ deliver: @escaping @Sendable ([UInt8]) -> Bool) throws(HostError) {
        self.limit = limit
        self.deliver = deliver
        unsafe arrival = .allocate(capacity: 1)
        unsafe arrival.initialize(to: sem_t())
        unsafe sem_init(arrival, 0, 0)
        try Thread.start { self.run() }
    }

    deinit {
        unsafe sem_destroy(arrival)
        unsafe arrival.deallocate()
    }

    /// How many lines were lost: the queue was full, or they could not be written.
    package var droppedLines: Int { queue.withLock { $0.dropped } }

    /// Never waits.
    package func write(_ line: [UInt8]) {
        let isFirst = queue.withLock { queue in
            guard !queue.isClosed, queue.bytes + line.count <= limit else {
                queue.dropped += 1
                return false
            }
            queue.lines.append(line)
            queue.bytes += line.count
            return queue.lines.count == 1
        }
        if isFirst { unsafe sem_post(arrival) }
    }

    /// Waits until what was written before is delivered, but no longer than the limit. Returns whether it is.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        let done = BlockingPromise<Void>()
        let isEmpty = queue.withLock { queue in
            if queue.lines.isEmpty, !queue.isWriting { return true }
            queue.flushes.append(done)
            return false
        }
        return isEmpty || done.take(within: limit) != nil
    }

    /// Delivers what is waiting, as `flush`, and ends the thread; what is written later is dropped.
    package func close(within limit: Duration) {
        flush(within: limit)
        queue.withLock { $0.isClosed = true }
        unsafe sem_post(arrival)
    }

    private func run() {
        while true {
            _ = retryingOnInterrupt { unsafe sem_wait(arrival) }
            while let lines = takeLines() {
                for line in lines where !deliver(line) { queue.withLock { $0.dropped += 1 } }
            }
            if queue.withLock({ $0.isClosed }) { return }
        }
    }

    /// Returns the lines that wait. Returns nil if none do, after every flush has ended.
    private func takeLines() -> [[UInt8]]? {
        let (lines, flushes) = queue.withLock { queue in
            let taken = (queue.lines, queue.lines.isEmpty ? queue.flushes : [])
            queue.isWriting = !queue.lines.isEmpty
            if queue.lines.isEmpty { queue.flushes = [] }
            queue.lines = []
            queue.bytes = 0
            return taken
        }
        for flush in flushes { flush.put(()) }
        return lines.isEmpty ? nil : lines
    }
}
