import EventLoop
package import Testing

/// A trait that runs tests on a separate thread, because tests that wait for other programs would block the common thread pool.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "test")
        let result: Result<Void, any Error>
        do { result = .success(try await withTaskExecutorPreference(loop) { try await body() }) } catch { result = .failure(error) }
        await loop.stop()
        try result.get()
    }
}

extension Trait where Self == OwnThread {
    package static var onOwnThread: OwnThread { OwnThread() }
}
