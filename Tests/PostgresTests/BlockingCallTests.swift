import EventLoop
import Host
import TestDatabase
import Testing

@testable import Postgres

/// Blocking calls such as name lookups and query cancellations.
@Suite("A blocking call") struct BlockingCallTests {
    @Test("A blocking call leaves its event loop free for other tasks and returns its result")
    func aside() async throws {
        try await withLoop { loop in
            let ticks = try await Task(executorPreference: loop) {
                let mayEnd = Locked(false)
                async let response = BlockingCall.run("test", on: loop, until: .soon) {
                    while !mayEnd.withLock({ $0 }) { _ = Signal.next(of: [], within: .milliseconds(1)) }
                    return "over"
                }
                var ticks = 0
                while ticks < 20 {
                    try await loop.sleep(until: .after(.milliseconds(1)))
                    ticks += 1
                }
                mayEnd.withLock { $0 = true }
                #expect(try await response == "over")
                return ticks
            }.value
            #expect(ticks == 20)
        }
    }

    @Test("A blocking call that never returns fails at its deadline")
    func endless() async throws {
        let mayEnd = Locked(false)
        try await withLoop { loop in
            let code = await Task(executorPreference: loop) {
                do throws(PostgresError) {
                    _ = try await BlockingCall.run("test", on: loop, until: .after(.milliseconds(20))) {
                        while !mayEnd.withLock({ $0 }) { _ = Signal.next(of: [], within: .milliseconds(1)) }
                    }
                    return nil as PostgresError.Code?
                } catch {
                    return error.code
                }
            }.value
            #expect(code == .deadlinePassed)
        }
        mayEnd.withLock { $0 = true }
    }
}
