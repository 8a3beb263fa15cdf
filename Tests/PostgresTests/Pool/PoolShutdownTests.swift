import Postgres
import Testing

@Suite("The shutdown of a pool")
struct PoolShutdownTests {
    private let deadline = PoolInstant(.seconds(10))

    @Test("The shutdown of an unused pool finishes immediately")
    func unused() {
        var pool = PoolHarness()
        #expect(pool.report(.shutDown(deadline: deadline)) == [.finish])
        #expect(pool.report(.shutDown(deadline: deadline)) == [])
    }

    @Test("A shutdown refuses waiting and later requests")
    func waiters() throws {
        var pool = PoolHarness(maximum: 1)
        _ = try pool.lease()
        let (before, _) = pool.request()
        #expect(pool.report(.shutDown(deadline: deadline)) == [.fail(before, .shuttingDown)])
        let (after, actions) = pool.request()
        #expect(actions == [.fail(after, .shuttingDown)])
    }

    @Test("A shutdown closes all connections that are not leased, in any state")
    func unheld() throws {
        var pool = PoolHarness(maximum: 3)
        let idle = try pool.lease()
        let checking = try pool.lease()
        let connecting = try pool.request().1.connections[only: 0]
        _ = pool.report(.returned(checking, .uncertain))
        _ = pool.report(.cancelled(PoolWaiterID(3)))
        _ = pool.report(.returned(idle, .clean))
        let actions = pool.report(.shutDown(deadline: deadline))
        #expect(Set(actions.map(String.init(describing:))) == Set([idle, checking, connecting].map { "\(PoolAction.close($0))" }))
        #expect(pool.report(.connected(connecting)) == [])
        #expect(pool.report(.checked(checking, isHealthy: true)) == [])
        #expect(pool.report(.closed(connecting)) == [] && pool.report(.closed(checking)) == [])
        #expect(pool.report(.closed(idle)) == [.finish])
    }

    @Test("A shutdown waits for leased connections")
    func leased() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        #expect(pool.report(.shutDown(deadline: deadline)) == [])
        #expect(pool.report(.returned(connection, .clean)) == [.close(connection)])
        #expect(pool.report(.closed(connection)) == [.finish])
    }

    @Test("A shutdown closes leased connections at its deadline")
    func passedDeadline() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        pool.now = PoolInstant(.seconds(5))
        #expect(pool.send(.timerFired) == [])
        #expect(pool.send(.shutDown(deadline: deadline)) == [.scheduleTimer(at: deadline)])
        #expect(pool.advance(.seconds(5)) == [.close(connection)])
        #expect(pool.report(.returned(connection, .clean)) == [])
        #expect(pool.report(.closed(connection)) == [.finish])
    }

    @Test("A second call can shorten the deadline of a shutdown but not extend it")
    func twice() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        _ = pool.report(.shutDown(deadline: deadline))
        _ = pool.report(.shutDown(deadline: PoolInstant(.seconds(20))))
        #expect(pool.report(.shutDown(deadline: PoolInstant(.zero))) == [.close(connection)])
    }
}
