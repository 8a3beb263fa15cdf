import Postgres
import Testing

@Suite("The waiting requests of a pool")
struct PoolWaitTests {
    @Test("A wait ends at its deadline")
    func deadline() throws {
        var pool = PoolHarness(maximum: 1)
        _ = try pool.lease()
        let (first, _) = pool.request(within: .seconds(3))
        let (second, _) = pool.request(within: .seconds(1))
        #expect(pool.advance(.seconds(1)) == [.fail(second, .deadlinePassed)])
        #expect(pool.advance(.seconds(1)) == [])
        #expect(pool.advance(.seconds(1)) == [.fail(first, .deadlinePassed)])
    }

    @Test("The timer is set to the earliest deadline, and then to the next one")
    func timer() throws {
        var pool = PoolHarness(maximum: 1)
        _ = try pool.lease()
        let late = PoolRequest(PoolWaiterID(10), deadline: PoolInstant(.seconds(9)))
        let early = PoolRequest(PoolWaiterID(11), deadline: PoolInstant(.seconds(6)))
        // The wait of the first lease left its timer at 5 s. Firing early is harmless.
        #expect(pool.send(.requested(late)).timers == [])
        #expect(pool.send(.requested(early)).timers == [])
        pool.now = PoolInstant(.seconds(5))
        #expect(pool.send(.timerFired) == [.scheduleTimer(at: PoolInstant(.seconds(6)))])
        pool.now = PoolInstant(.seconds(6))
        #expect(
            pool.send(.timerFired) == [.fail(early.waiter, .deadlinePassed), .scheduleTimer(at: PoolInstant(.seconds(9)))])
    }

    @Test("A request after its deadline fails, even if a connection is idle")
    func lateRequest() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        _ = pool.report(.returned(connection, .clean))
        let (waiter, actions) = pool.request(within: .zero)
        #expect(actions == [.fail(waiter, .deadlinePassed)])
    }

    @Test("A wait whose deadline coincides with a returned connection fails")
    func simultaneous() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let (late, _) = pool.request(within: .seconds(1))
        let (next, _) = pool.request(within: .seconds(2))
        pool.now = PoolInstant(.seconds(1))
        #expect(pool.report(.returned(connection, .clean)) == [.fail(late, .deadlinePassed), .lease(connection, to: next)])
    }

    @Test("A request is refused immediately if too many wait")
    func overflow() throws {
        var pool = PoolHarness(maximum: 1) { $0.maxWaiting = 2 }
        _ = try pool.lease()
        _ = pool.request()
        let (second, _) = pool.request()
        let (third, actions) = pool.request()
        #expect(actions == [.fail(third, .queueFull)])
        #expect(pool.report(.cancelled(second)) == [.fail(second, .cancelled)])
        #expect(pool.request().1 == [])
    }

    @Test("A canceled wait fails once and leaves its place in the queue to the next one")
    func cancellation() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let (first, _) = pool.request()
        let (second, _) = pool.request()
        #expect(pool.report(.cancelled(first)) == [.fail(first, .cancelled)])
        #expect(pool.report(.cancelled(first)) == [])
        #expect(pool.report(.returned(connection, .clean)) == [.lease(connection, to: second)])
    }

    @Test("Waits keep their order when many others are canceled")
    func manyCancelled() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let waiters = (0..<500).map { _ in pool.request().0 }
        for (index, waiter) in waiters.enumerated() where index % 10 != 3 { _ = pool.report(.cancelled(waiter)) }
        for (index, waiter) in waiters.enumerated() where index % 10 == 3 {
            #expect(pool.report(.returned(connection, .clean)) == [.lease(connection, to: waiter)])
        }
    }
}
