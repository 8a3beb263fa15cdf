import EventLoop
import Feeds
import HTTPMessages
import Testing

@testable import API

@Suite("The sync wait queue")
struct SyncWaitQueueTests {
    private static func head(_ version: Int, of epoch: Int = 1) -> PublishedHead { PublishedHead(epoch: epoch, version: version) }

    @Test("A waiter wakes at a newer version, or at the same version of another history")
    func wakes() async {
        let waiters = SyncWaitQueue(limit: 10, addresses: AddressCounts(limit: 10))
        waiters.publish(Self.head(5))
        #expect(await waiters.wait(after: Self.head(4), until: .never) == .published)
        #expect(await waiters.wait(after: Self.head(5, of: 2), until: .never) == .published)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let waiter = Task {
            starter.yield()
            return await waiters.wait(after: Self.head(5), until: .never)
        }
        for await _ in started { break }
        // The database was restored, and has reached the same version.
        waiters.publish(Self.head(5, of: 2))
        #expect(await waiter.value == .published)
    }

    @Test("A waiter of a closed storefront wakes, whether it is closed before or during the wait, and others wait on")
    func closing() async {
        let waiters = SyncWaitQueue(limit: 10, addresses: AddressCounts(limit: 10))
        waiters.publish(Self.head(5))
        #expect(await waiters.wait(after: Self.head(5), until: .never, in: "us") { true } == .closed)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        func wait(in storefront: String?) -> Task<SyncWaitQueue.Outcome, Never> {
            Task {
                await waiters.wait(after: Self.head(5), until: .never, in: storefront) {
                    starter.yield()
                    return false
                }
            }
        }
        let (american, german, other) = (wait(in: "us"), wait(in: "de"), wait(in: nil))
        var count = 0
        for await _ in started {
            count += 1
            if count == 3 { break }
        }
        // The condition is called under the lock, so all three are parked.
        waiters.close(["us", "sa"])
        #expect(await american.value == .closed)
        waiters.publish(Self.head(6))
        #expect(await german.value == .published)
        #expect(await other.value == .published)
    }

    @Test("Admissions are limited, and each one is released once")
    func places() {
        let waiters = SyncWaitQueue(limit: 2, addresses: AddressCounts(limit: 2))
        let first = waiters.admit(from: "unix")
        do {
            let second = waiters.admit(from: "unix")
            #expect(first != nil && second != nil && waiters.admit(from: "unix") == nil)
            second?.leave()
            second?.leave()
            #expect(waiters.count == 1)
        }
        #expect(waiters.count == 1)
        _ = waiters.admit(from: "unix")
        // Nothing refers to the admission, so it is free.
        #expect(waiters.count == 1)
        waiters.stop()
        #expect(waiters.admit(from: "unix") == nil)
    }
    @Test("Admissions of one address are limited, and other addresses and trusted proxies are not affected")
    func addresses() {
        let proxies = TrustedProxies(["10.0.0.1"].compactMap(TrustedProxy.init))
        let waiters = SyncWaitQueue(limit: 20, addresses: AddressCounts(limit: 2, exempt: proxies))
        let admissions = (0..<2).compactMap { _ in waiters.admit(from: "2001:db8::1") }
        #expect(admissions.count == 2 && waiters.admit(from: "2001:db8::ffff") == nil)
        #expect(waiters.admit(from: "2001:db8:0:1::1") != nil)
        let proxied = (0..<5).compactMap { _ in waiters.admit(from: "10.0.0.1") }
        #expect(proxied.count == 5 && waiters.count == 7)
        admissions[0].leave()
        #expect(waiters.admit(from: "2001:db8::ffff") != nil)
        withExtendedLifetime(proxied) {}
    }
}
