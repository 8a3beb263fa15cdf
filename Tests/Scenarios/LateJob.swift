import EventLoop

/// A job for a stopped event loop.
enum LateJob {
    static func run() async throws {
        let loop = try EventLoop(name: "web-0")
        await loop.stop()
        await Task(executorPreference: loop) {}.value
    }
}
