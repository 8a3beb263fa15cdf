package import EventLoop

/// Runs a body as a task on a separate event loop. Throws if a wait remains on the loop afterwards.
package func withLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop(name: "test")
    let task = Task(executorPreference: loop) {
        try await body(loop)
        guard loop.registrations == (0, 0) else { throw Leftovers("\(loop.registrations) on the loop") }
    }
    let result = await task.result
    await loop.stop()
    try result.get()
}

extension Deadline {
    /// A deadline that is far enough for a busy machine.
    package static var soon: Deadline { .after(.seconds(60)) }
}
