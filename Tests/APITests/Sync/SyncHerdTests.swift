import EventLoop
import Feeds
import HTTPMessages
import Host
import TestDatabase
import Testing

@testable import API

@Suite("A herd that waits for a publication")
struct SyncHerdTests {
    /// The pace spreads four waiters over 400 ms, and wakes one immediately.
    private static let pace = SyncWaitQueue.Pace(herd: 4, longest: .milliseconds(400), atOnce: 1, pollInterval: .milliseconds(100))

    private static func head(_ version: Int) -> PublishedHead { PublishedHead(epoch: 1, version: version) }

    /// Runs a body once the given number of tasks waits, stops the queue, and returns the outcome of each wait.
    private static func outcomes(
        of count: Int, pace: SyncWaitQueue.Pace = pace, until deadline: Deadline = .never,
        _ body: @escaping @Sendable (SyncWaitQueue) -> Void
    ) async throws -> [SyncWaitQueue.Outcome] {
        let result = Locked<[SyncWaitQueue.Outcome]>([])
        try await withLoop { loop in
            let waiters = SyncWaitQueue(limit: count, addresses: AddressCounts(limit: count), pace: pace)
            waiters.publish(head(1))
            let (started, beginner) = AsyncStream.makeStream(of: Void.self)
            let waits = (0..<count).map { _ in
                Task(executorPreference: loop) {
                    beginner.yield()
                    return await waiters.wait(after: head(1), until: deadline)
                }
            }
            // On one event loop, each started task runs until it waits before this continues.
            var left = count
            for await _ in started {
                left -= 1
                if left == 0 { break }
            }
            body(waiters)
            waiters.stop()
            for wait in waits {
                let outcome = await wait.value
                result.withLock { $0.append(outcome) }
            }
        }
        return result.withLock { $0 }
    }

    @Test("A herd wakes within the longest time, in proportion to the time that has passed", arguments: 1...4)
    func share(quarters: Int) async throws {
        let outcomes = try await Self.outcomes(of: 4) { waiters in
            let start = Deadline.now
            waiters.publish(Self.head(2), at: start)
            waiters.wakeSome(at: start)
            waiters.wakeSome(at: start.advanced(by: .milliseconds(100 * quarters)))
        }
        #expect(outcomes.count { $0 == .published } == quarters && outcomes.count { $0 == .stopping } == 4 - quarters)
    }

    @Test("The first waiters of a herd wake with the publication")
    func first() async throws {
        let outcomes = try await Self.outcomes(of: 4) { $0.publish(Self.head(2)) }
        #expect(outcomes == [.published, .stopping, .stopping, .stopping])
    }

    @Test("A smaller herd wakes in less time, and a single waiter immediately", arguments: [(2, 200), (1, 0)])
    func small(count: Int, milliseconds: Int) async throws {
        let outcomes = try await Self.outcomes(of: count) { waiters in
            let start = Deadline.now
            waiters.publish(Self.head(2), at: start)
            if milliseconds > 0 { waiters.wakeSome(at: start.advanced(by: .milliseconds(milliseconds))) }
        }
        #expect(outcomes == Array(repeating: .published, count: count))
    }

    @Test("A herd larger than the expected one takes no longer")
    func large() async throws {
        let outcomes = try await Self.outcomes(of: 9) { waiters in
            let start = Deadline.now
            waiters.publish(Self.head(2), at: start)
            waiters.wakeSome(at: start.advanced(by: .milliseconds(400)))
        }
        #expect(outcomes == Array(repeating: .published, count: 9))
    }

    @Test("A waiter whose turn has not come wakes after a second publication")
    func again() async throws {
        let outcomes = try await Self.outcomes(of: 4) { waiters in
            let start = Deadline.now
            waiters.publish(Self.head(2), at: start)
            waiters.wakeSome(at: start.advanced(by: .milliseconds(100)))
            waiters.publish(Self.head(3), at: start.advanced(by: .milliseconds(100)))
            waiters.wakeSome(at: start.advanced(by: .milliseconds(500)))
        }
        #expect(outcomes == Array(repeating: .published, count: 4))
    }

    @Test("A wait ends at its deadline and not before")
    func late() async throws {
        let deadline = Deadline.after(.seconds(1_000))
        for (wait, expected) in [(-1, SyncWaitQueue.Outcome.stopping), (0, .timedOut)] {
            let outcomes = try await Self.outcomes(of: 3, until: deadline) { waiters in
                waiters.wakeSome(at: deadline.advanced(by: .microseconds(wait)))
            }
            #expect(outcomes == Array(repeating: expected, count: 3))
        }
    }
}
