package struct EventLoopGroup: Sendable {
    package let loops: [EventLoop]

    /// Starts loops named `name-0`, `name-1` and so on. If one cannot start, the previous ones are stopped.
    package init(
        name: String, count: Int, threshold: Duration = .milliseconds(50),
        observer: @escaping @Sendable (EventLoopStall) -> Void = { _ in }
    ) throws(EventLoopError) {
        precondition(count > 0, "a group needs at least one event loop")
        var loops: [EventLoop] = []
        for index in 0..<count {
            do throws(EventLoopError) {
                loops.append(try EventLoop(name: "\(name)-\(index)", index: index, threshold: threshold, observer: observer))
            } catch {
                for loop in loops { loop.requestStop() }
                throw error
            }
        }
        self.loops = loops
    }

    /// Stops the loops one after another, the last one first.
    package func stop() async {
        for loop in loops.reversed() { await loop.stop() }
    }
}
