import EventLoop
import Host

/// Runs a body with an event loop, and stops the loop afterwards.
@discardableResult
func withLoop<Result>(
    threshold: Duration = .milliseconds(50), observer: @escaping @Sendable (EventLoopStall) -> Void = { _ in },
    _ body: (EventLoop) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop(name: "test", threshold: threshold, observer: observer)
    do {
        let result = try await body(loop)
        await loop.stop()
        return result
    } catch {
        await loop.stop()
        throw error
    }
}

extension EventLoop {
    /// Runs a body as a task on this event loop and waits for it.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await Task(executorPreference: self) { try await body() }.value
    }
}
