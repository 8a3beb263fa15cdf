import EventLoop
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import API

@Suite("The concurrency limit of admin requests")
struct AdminConcurrencyLimiterTests {
    @Test("Half of the connections are permits, a released permit goes to a waiting request, and a full queue rejects")
    func order() async throws {
        let limiter = AdminConcurrencyLimiter(connections: 4)
        let first = [PermitHolder(limiter), PermitHolder(limiter)]
        for holder in first { await holder.waitUntilAdmitted() }
        let waiting = (0..<16).map { _ in PermitHolder(limiter) }
        await wait(while: limiter.waiting < 16)
        await #expect { try await limiter.withPermit {} } throws: {
            ($0 as? Problem)?.code == "adminOverloaded" && ($0 as? Problem)?.retryAfter == 1
        }
        #expect(limiter.waiting == 16)
        // Each one releases its permit as soon as it is admitted, in any order.
        for holder in waiting { holder.release.yield() }
        first[0].release.yield()
        for holder in waiting { await holder.waitUntilAdmitted() }
        first[1].release.yield()
        for holder in first + waiting { try await holder.task.value }
        #expect(limiter.waiting == 0)
        try await limiter.withPermit {}
    }

    @Test("A canceled wait leaves its place in the queue to the next task, and no permit is lost")
    func leaving() async throws {
        let limiter = AdminConcurrencyLimiter(connections: 1)
        for _ in 0..<200 {
            let first = PermitHolder(limiter)
            await first.waitUntilAdmitted()
            let others = [PermitHolder(limiter), PermitHolder(limiter)]
            others[0].task.cancel()
            first.release.yield()
            await others[1].waitUntilAdmitted()
            others[1].release.yield()
            others[0].release.yield()
            try await others[1].task.value
            _ = await others[0].task.result
            try await first.task.value
            #expect(limiter.waiting == 0)
        }
    }
}
