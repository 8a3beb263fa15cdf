internal import EventLoop
internal import Host

/// A loop for the length of a command that talks to others.
struct LoopSession {
    /// What ends it early; held before there was a second thread.
    let interrupts: [Signal]

    /// Runs a body on the loop. Nil where an interrupt came first: its task was cancelled, and its end waited for.
    ///
    /// Blocks the calling thread, as that of a `DatabaseSession`.
    func run<Answer: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Answer) throws -> Answer? {
        let loop = try EventLoop(name: "command")
        let answer = BlockingPromise<Result<Answer?, any Error>>()
        Task(executorPreference: loop) { answer.put(await result(of: body, on: loop)) }
        defer { loop.beginStop() }
        return try answer.take().get()
    }

    private func result<Answer: Sendable>(
        of body: @escaping @Sendable (EventLoop) async throws -> Answer, on loop: EventLoop
    ) async -> Result<Answer?, any Error> {
        await withTaskGroup(of: Result<Answer?, any Error>?.self) { group in
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
    /// How a command that stays or works for long is told to end; without the end of a terminal that `nohup` had it ignore.
    static let stopping: [Signal] = [.interrupt, .terminate, .hangup].filter { !$0.isIgnored }

    /// Before any thread that could take them instead.
    static func holdStopping() {
        hold(stopping)
        ignoreBrokenPipes()
    }
}
