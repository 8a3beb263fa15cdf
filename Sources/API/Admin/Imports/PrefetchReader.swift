package import Host

/// A reader of pieces on its own thread, one piece ahead of its consumer.
package final class PrefetchReader<Piece: Sendable> {
    private struct Delivery: Sendable {
        let piece: Result<Piece?, any Error>
        /// Receives whether to continue.
        let isTaken: BlockingPromise<Bool>
    }

    /// The promise for which the thread waits. It ends the thread when the consumer stops.
    private struct Wait: Sendable {
        var isOver = false
        var delivery: BlockingPromise<Bool>?
    }

    private var deliveries: AsyncStream<Delivery>.Iterator
    private var last: BlockingPromise<Bool>?
    private var hasEnded = false
    private let wait: Locked<Wait>

    /// Starts a thread that reads. `begin` is called on the thread. The function that it returns is then called until
    /// it returns nil or throws.
    package init(_ begin: @escaping @Sendable () -> () throws -> Piece?) throws(HostError) {
        let (stream, continuation) = AsyncStream.makeStream(of: Delivery.self)
        let wait = Locked(Wait())
        self.wait = wait
        deliveries = stream.makeAsyncIterator()
        continuation.onTermination = { _ in Self.end(wait) }
        try Thread.start {
            let next = begin()
            var before: BlockingPromise<Bool>?
            while true {
                let piece = Result { try next() }
                guard before?.wait() ?? true else { break }
                let isTaken = BlockingPromise<Bool>()
                let isOver = wait.withLock { wait in
                    wait.delivery = isTaken
                    return wait.isOver
                }
                guard !isOver else { break }
                continuation.yield(Delivery(piece: piece, isTaken: isTaken))
                guard case .success(.some) = piece else { break }
                before = isTaken
            }
            continuation.finish()
        }
    }

    deinit { Self.end(wait) }

    private static func end(_ wait: Locked<Wait>) {
        let delivery = wait.withLock { wait in
            wait.isOver = true
            return wait.delivery.take()
        }
        delivery?.fulfill(false)
    }

    /// Returns the next piece, or nil after the last one. The caller must be done with the previous piece. Throws if
    /// the task was canceled, and in every later call.
    package func next() async throws -> Piece? {
        guard !hasEnded else { return nil }
        last.take()?.fulfill(true)
        guard let delivery = await deliveries.next(isolation: nil) else { throw CancellationError() }
        last = delivery.isTaken
        let piece = try delivery.piece.get()
        hasEnded = piece == nil
        return piece
    }
}
