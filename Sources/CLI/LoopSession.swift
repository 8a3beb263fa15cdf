internal import EventLoop
internal import Host

/// An event loop for the duration of a command that uses the network.
struct LoopSession {
    /// The signals that end the session early. They must be held before a second thread starts.
    let interrupts: [Signal]

    /// Runs a body on the loop. Returns nil if an interrupt came first: the body's task was canceled and has ended.
    ///
    /// Blocks the calling thread, like `DatabaseSession`.
    func run<Result: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Result) throws -> Result? {
        let loop = try EventLoop(name: "command")
        let promise = BlockingPromise<Swift.Result<Result?, any Error>>()
        Task(executorPreference: loop) { promise.fulfill(await result(of: body, on: loop)) }
        defer { loop.requestStop() }
        return try promise.wait().get()
    }

    private func result<Result: Sendable>(
        of body: @escaping @Sendable (EventLoop) async throws -> Result, on loop: EventLoop
    ) async -> Swift.Result<Result?, any Error> {
        await withTaskGroup(of: Swift.Result<Result?, any Error>?.self) { group in
            group.addTask(executorPreference: loop) {
                do { return .success(try await body(loop)) } catch { return .failure(error) }
            }
            group.addTask(executorPreference: loop) {
                do throws(EventLoopError) { _ = try await loop.next(of: interrupts, until: .never) } catch { return nil }
                return .success(nil)
            }
            var isInterrupted = false
            for await result in group {
                group.cancelAll()
                guard let result else { continue }
                guard case .success(nil) = result else { return isInterrupted ? .success(nil) : result }
                isInterrupted = true
            }
            return .success(nil)
        }
    }
}

extension Signal {
    /// The signals that stop a long command. A hangup that `nohup` ignores is omitted.
    static let stopping: [Signal] = [.interrupt, .terminate, .hangup].filter { !$0.isIgnored }

    /// Holds the signals. Call it before the first thread that could receive them instead.
    static func holdStopping() {
        hold(stopping)
        ignoreBrokenPipes()
    }
}
