import EventLoop

private let background = Result { try EventLoop(name: "background") }

/// Runs a body that does not block beside a test that blocks its own thread, and away from the common threads, which others may block for long.
func inBackground(_ body: @escaping @Sendable () async -> Void) throws -> Task<Void, Never> {
    Task(executorPreference: try background.get()) { await body() }
}
