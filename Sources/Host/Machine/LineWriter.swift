internal import Glibc

/// A writer of lines on its own thread, so that no caller waits for a slow or absent reader.
///
/// The queue is limited in bytes. A line that does not fit is dropped and counted.
@safe package final class LineWriter: @unchecked Sendable {
    // Unchecked: the semaphore's address never changes, and its functions are thread-safe.
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

    /// Starts the thread, which ends after `close`. At most `limit` bytes wait to be written. `deliver` writes one line
    /// and may block. It returns false if the line is lost.
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

    /// The number of lines lost because the queue was full or writing failed.
    package var droppedLines: Int { queue.withLock { $0.dropped } }

    /// Queues a line without waiting.
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

    /// Waits until all previous lines are delivered, but no longer than the limit. Returns whether they are.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        let done = BlockingPromise<Void>()
        let isEmpty = queue.withLock { queue in
            if queue.lines.isEmpty, !queue.isWriting { return true }
            queue.flushes.append(done)
            return false
        }
        return isEmpty || done.wait(within: limit) != nil
    }

    /// Delivers the queued lines like `flush` and ends the thread. Later lines are dropped.
    package func close(within limit: Duration) {
        flush(within: limit)
        queue.withLock { $0.isClosed = true }
        unsafe sem_post(arrival)
    }

    private func run() {
        while true {
            _ = retryingOnInterrupt { unsafe sem_wait(arrival) }
            while let lines = dequeueLines() {
                for line in lines where !deliver(line) { queue.withLock { $0.dropped += 1 } }
            }
            if queue.withLock({ $0.isClosed }) { return }
        }
    }

    /// Returns the queued lines. Returns nil if the queue is empty, after completing every flush.
    private func dequeueLines() -> [[UInt8]]? {
        let (lines, flushes) = queue.withLock { queue in
            let dequeued = (queue.lines, queue.lines.isEmpty ? queue.flushes : [])
            queue.isWriting = !queue.lines.isEmpty
            if queue.lines.isEmpty { queue.flushes = [] }
            queue.lines = []
            queue.bytes = 0
            return dequeued
        }
        for flush in flushes { flush.fulfill(()) }
        return lines.isEmpty ? nil : lines
    }
}
