import EventLoop
import Testing

/// Runs tests that wait for other programs on a thread of their own: blocked ones of the common pool would keep every other test waiting.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void) async throws
    {
        let loop = try EventLoop(name: "test")
        let result: Result<Void, any Error>
        do { result = .success(try await withTaskExecutorPreference(loop) { try await function() }) } catch { result = .failure(error) }
        await loop.stop()
        try result.get()
    }
}

extension Trait where Self == OwnThread {
    static var onOwnThread: OwnThread { OwnThread() }
}
