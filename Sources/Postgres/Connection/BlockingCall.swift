internal import EventLoop
internal import Glibc
internal import Host

/// A blocking call that runs on its own thread while a task waits for it on the event loop.
///
/// If the wait ends first, the thread continues and its result is dropped.
final class BlockingCall<Result: Sendable>: Sendable {
    private let result = Locked<Result?>(nil)
    /// Becomes readable when the thread shuts down the other end.
    private let reading: Descriptor
    private let writing: Descriptor

    private init() throws(HostError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw HostError(errnoOf: "open", "a pair of sockets")
        }
        reading = Descriptor(owning: ends[0])
        writing = Descriptor(owning: ends[1])
    }

    /// Runs `body` on a new thread and returns its result. Call it from a task that prefers the loop.
    static func run(
        _ event: WorkLabel, on loop: EventLoop, until deadline: Deadline, _ body: @escaping @Sendable () -> Result
    ) async throws(PostgresError) -> Result {
        let call: BlockingCall
        do throws(HostError) {
            call = try BlockingCall()
            try Thread.start { call.finish(with: body()) }
        } catch {
            throw PostgresError(.connectFailed, error.description)
        }
        do throws(EventLoopError) {
            try await loop.wait(for: .readable, on: call.reading.number, until: deadline, named: event)
        } catch {
            throw PostgresError(error, query: nil)
        }
        guard let result = call.result.withLock({ $0 }) else { throw PostgresError(.connectionLost, "\(event): no result") }
        return result
    }

    private func finish(with value: Result) {
        result.withLock { $0 = value }
        _ = shutdown(writing.number, Int32(SHUT_WR))
    }
}
