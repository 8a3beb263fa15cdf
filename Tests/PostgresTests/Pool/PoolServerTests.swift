import Postgres
import Testing

@Suite("A pool whose server is unreachable")
struct PoolServerTests {
    /// Returns a pool with two waiters, for which both attempts to connect have failed.
    private func away() -> PoolHarness {
        var pool = PoolHarness(maximum: 4) { $0.backOff = BackOff(first: .milliseconds(100), longest: .seconds(1)) }
        let attempts = (0..<2).flatMap { _ in pool.request(within: .seconds(30)).1.connections }
        for attempt in attempts { #expect(pool.report(.connectFailed(attempt, .away)) == []) }
        return pool
    }

    @Test("The pool pauses and then tries with one connection at a time")
    func probe() throws {
        var pool = away()
        #expect(pool.advance(.milliseconds(49)) == [])
        #expect(pool.advance(.milliseconds(51)).connections.count == 1)
        #expect(pool.advance(.seconds(10)) == [])
    }

    @Test("Attempts that fail together count as one failure")
    func together() {
        var pool = away()
        #expect(pool.advance(.milliseconds(100)).connections.count == 1)
    }

    @Test("Pauses grow with each failure, up to the longest pause")
    func longerPauses() throws {
        var pool = away()
        for milliseconds in [100, 200, 400, 800, 1_000, 1_000] {
            let half = Duration.milliseconds(milliseconds) / 2
            #expect(pool.advance(half - .milliseconds(1)) == [])
            let attempt = try pool.advance(half + .milliseconds(1)).connections[only: 0]
            _ = pool.report(.connectFailed(attempt, .away))
        }
    }

    @Test("The pool opens the needed connections as soon as one attempt succeeds")
    func recovery() throws {
        var pool = away()
        let attempt = try pool.advance(.milliseconds(100)).connections[only: 0]
        let actions = pool.report(.connected(attempt))
        let second = try actions.connections[only: 0]
        #expect(actions == [.lease(attempt, to: PoolWaiterID(1)), .connect(second)])
        #expect(pool.report(.connected(second)) == [.lease(second, to: PoolWaiterID(2))])
    }

    @Test("Pauses start again with the shortest one after a successful connection")
    func forgets() throws {
        var pool = away()
        var attempt = try pool.advance(.milliseconds(100)).connections[only: 0]
        _ = pool.report(.connectFailed(attempt, .away))
        attempt = try pool.advance(.milliseconds(200)).connections[only: 0]
        attempt = try pool.report(.connected(attempt)).connections[only: 0]
        _ = pool.report(.connectFailed(attempt, .away))
        #expect(pool.advance(.milliseconds(100)).connections.count == 1)
    }

    @Test("A request whose deadline passes fails with the reason that the server is unreachable")
    func deadline() {
        var pool = away()
        let failures = pool.advance(.seconds(30)).filter { if case .fail = $0 { true } else { false } }
        #expect(failures == [.fail(PoolWaiterID(1), .serverAway), .fail(PoolWaiterID(2), .serverAway)])
    }

    @Test("The pool does not try to connect while no request waits, and connects immediately for the next one")
    func quiet() {
        var pool = away()
        for waiter in [PoolWaiterID(1), PoolWaiterID(2)] { _ = pool.report(.cancelled(waiter)) }
        #expect(pool.advance(.seconds(10)) == [])
        #expect(pool.request().1.connections.count == 1)
    }

    @Test("The pool keeps serving requests with its remaining connections")
    func remaining() throws {
        var pool = PoolHarness(maximum: 2)
        let connection = try pool.lease()
        let (waiter, actions) = pool.request()
        _ = pool.report(.connectFailed(try actions.connections[only: 0], .away))
        #expect(pool.report(.returned(connection, .clean)) == [.lease(connection, to: waiter)])
    }

    @Test("All requests fail immediately if the server refuses permanently")
    func refused() throws {
        var pool = PoolHarness(maximum: 1)
        let (first, actions) = pool.request()
        let (second, _) = pool.request()
        let attempt = try actions.connections[only: 0]
        #expect(pool.report(.connectFailed(attempt, .final)) == [.fail(first, .refused), .fail(second, .refused)])
    }

    @Test("The pool pauses after a session that ends as soon as it has started")
    func droppedAtOnce() throws {
        var pool = PoolHarness(minimum: 1)
        let connection = try pool.report(.started).connections[only: 0]
        _ = pool.report(.connected(connection))
        #expect(pool.report(.lost(connection)) == [.close(connection)])
        #expect(pool.report(.closed(connection)) == [])
        #expect(pool.advance(.milliseconds(100)).connections.count == 1)
    }
}
