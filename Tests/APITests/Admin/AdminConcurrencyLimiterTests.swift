import EventLoop
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import API

@Suite("The room of curators")
struct AdminConcurrencyLimiterTests {
    @Test("has half of the connections, seats who waits when one leaves, and sends away who finds too many waiting")
    func order() async throws {
        let room = AdminConcurrencyLimiter(connections: 4)
        let first = [DeskGuest(room), DeskGuest(room)]
        for guest in first { await guest.waitUntilSeated() }
        let waiting = (0..<16).map { _ in DeskGuest(room) }
        await wait(while: room.waiting < 16)
        await #expect { try await room.seated {} } throws: { ($0 as? Problem)?.code == "curatorsBusy" && ($0 as? Problem)?.retryAfter == 1 }
        #expect(room.waiting == 16)
        // Each leaves as soon as it is seated, in whatever order they came.
        for guest in waiting { guest.leave.yield() }
        first[0].leave.yield()
        for guest in waiting { await guest.waitUntilSeated() }
        first[1].leave.yield()
        for guest in first + waiting { try await guest.task.value }
        #expect(room.waiting == 0)
        try await room.seated {}
    }

    @Test("keeps no place for who goes while waiting, and loses no desk by it")
    func leaving() async throws {
        let room = AdminConcurrencyLimiter(connections: 1)
        for _ in 0..<200 {
            let first = DeskGuest(room)
            await first.waitUntilSeated()
            let others = [DeskGuest(room), DeskGuest(room)]
            others[0].task.cancel()
            first.leave.yield()
            await others[1].waitUntilSeated()
            others[1].leave.yield()
            others[0].leave.yield()
            try await others[1].task.value
            _ = await others[0].task.result
            try await first.task.value
            #expect(room.waiting == 0)
        }
    }
}
