import EventLoop

private let background = Result { try EventLoop(name: "background") }

/// Runs a nonblocking body next to a test that blocks its own thread, outside of the common threads, which other tests may block.
func inBackground(_ body: @escaping @Sendable () async -> Void) throws -> Task<Void, Never> {
    Task(executorPreference: try background.get()) { await body() }
}
