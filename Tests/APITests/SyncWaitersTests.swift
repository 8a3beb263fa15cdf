import EventLoop
import Feeds
import Testing

@testable import API

@Suite("Those who wait for a publication")
struct SyncWaitersTests {
    private static func head(_ version: Int, of epoch: Int = 1) -> PublishedHead { PublishedHead(epoch: epoch, version: version) }

    @Test("wake when something newer is there, also of the same version in another history")
    func wakes() async {
        let waiters = SyncWaiters(limit: 10)
        waiters.publish(Self.head(5))
        #expect(await waiters.wait(behind: Self.head(4), until: .never) == .published)
        #expect(await waiters.wait(behind: Self.head(5, of: 2), until: .never) == .published)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let waiter = Task {
            starter.yield()
            return await waiters.wait(behind: Self.head(5), until: .never)
        }
        for await _ in started { break }
        // The database was set back, and has got to the same number.
        waiters.publish(Self.head(5, of: 2))
        #expect(await waiter.value == .published)
    }

    @Test("are no more than may be, and leave once however often they say so")
    func places() {
        let waiters = SyncWaiters(limit: 2)
        let first = waiters.admit()
        do {
            let second = waiters.admit()
            #expect(first != nil && second != nil && waiters.admit() == nil)
            second?.leave()
            second?.leave()
            #expect(waiters.count == 1)
        }
        #expect(waiters.count == 1)
        _ = waiters.admit()
        // Nobody has it, so it is free.
        #expect(waiters.count == 1)
        waiters.stop()
        #expect(waiters.admit() == nil)
    }
}
