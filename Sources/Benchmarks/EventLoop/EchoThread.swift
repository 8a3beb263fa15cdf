import Host

/// A thread that answers every byte on one pipe with a byte on another. It measures the cost of a hop between threads
/// with blocking calls alone.
final class EchoThread: Sendable {
    private let request: SignalPipe
    private let pipe: SignalPipe
    private let isOver = Locked(false)

    init() throws {
        let (request, pipe, isOver) = (try SignalPipe(), try SignalPipe(), isOver)
        self.request = request
        self.pipe = pipe
        try Thread.start {
            while true {
                request.receive()
                if isOver.withLock({ $0 }) { return }
                pipe.send()
            }
        }
    }

    func roundTrip() {
        request.send()
        pipe.receive()
    }

    func stop() {
        isOver.withLock { $0 = true }
        request.send()
    }
}
