import EventLoop
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import API

@Suite("The room of curators")
struct DeskRoomTests {
    /// Holds a desk until it is told to leave it.
    private struct Guest: Sendable {
        let task: Task<Void, any Error>
        let isSeated: AsyncStream<Void>
        let leave: AsyncStream<Void>.Continuation

        init(_ room: DeskRoom) {
            let (seated, sit) = AsyncStream.makeStream(of: Void.self)
            let (left, leave) = AsyncStream.makeStream(of: Void.self)
            isSeated = seated
            self.leave = leave
            task = Task {
                try await room.seated {
                    sit.yield()
                    for await _ in left { break }
                }
            }
        }

        func waitUntilSeated() async { for await _ in isSeated { break } }
    }

    @Test("has half of the connections, seats who waits when one leaves, and sends away who finds too many waiting")
    func order() async throws {
        let room = DeskRoom(connections: 4)
        let first = [Guest(room), Guest(room)]
        for guest in first { await guest.waitUntilSeated() }
        let waiting = (0..<16).map { _ in Guest(room) }
        while room.waiting < 16 { await Task.yield() }
        await #expect { try await room.seated {} } throws: { ($0 as? Problem)?.code == "curatorsBusy" && ($0 as? Problem)?.retryAfter == 1 }
        #expect(room.waiting == 16)
        first[0].leave.yield()
        for guest in waiting {
            await guest.waitUntilSeated()
            guest.leave.yield()
        }
        first[1].leave.yield()
        for guest in first + waiting { try await guest.task.value }
        #expect(room.waiting == 0)
        try await room.seated {}
    }

    @Test("keeps no place for who goes while waiting, and loses no desk by it")
    func leaving() async throws {
        let room = DeskRoom(connections: 1)
        for _ in 0..<200 {
            let first = Guest(room)
            await first.waitUntilSeated()
            let others = [Guest(room), Guest(room)]
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
