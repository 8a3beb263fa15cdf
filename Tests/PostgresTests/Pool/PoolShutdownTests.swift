import Postgres
import Testing

@Suite("The shutdown of a pool")
struct PoolShutdownTests {
    private let deadline = PoolInstant(.seconds(10))

    @Test("of one that was never used is over at once")
    func unused() {
        var pool = PoolHarness()
        #expect(pool.tell(.shutDown(deadline: deadline)) == [.finish])
        #expect(pool.tell(.shutDown(deadline: deadline)) == [])
    }

    @Test("turns those away who wait or come later")
    func waiters() throws {
        var pool = PoolHarness(maximum: 1)
        _ = try pool.lease()
        let (before, _) = pool.request()
        #expect(pool.tell(.shutDown(deadline: deadline)) == [.fail(before, .shuttingDown)])
        let (after, actions) = pool.request()
        #expect(actions == [.fail(after, .shuttingDown)])
    }

    @Test("closes what nobody holds, whatever state it is in")
    func unheld() throws {
        var pool = PoolHarness(maximum: 3)
        let idle = try pool.lease()
        let checking = try pool.lease()
        let connecting = try pool.request().1.connections[only: 0]
        _ = pool.tell(.returned(checking, .doubtful))
        _ = pool.tell(.cancelled(PoolWaiterID(3)))
        _ = pool.tell(.returned(idle, .clean))
        let actions = pool.tell(.shutDown(deadline: deadline))
        #expect(Set(actions.map(String.init(describing:))) == Set([idle, checking, connecting].map { "\(PoolAction.close($0))" }))
        #expect(pool.tell(.connected(connecting)) == [])
        #expect(pool.tell(.checked(checking, isHealthy: true)) == [])
        #expect(pool.tell(.closed(connecting)) == [] && pool.tell(.closed(checking)) == [])
        #expect(pool.tell(.closed(idle)) == [.finish])
    }

    @Test("waits for what is leased")
    func leased() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        #expect(pool.tell(.shutDown(deadline: deadline)) == [])
        #expect(pool.tell(.returned(connection, .clean)) == [.close(connection)])
        #expect(pool.tell(.closed(connection)) == [.finish])
    }

    @Test("closes at its deadline what is still leased")
    func passedDeadline() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        pool.now = PoolInstant(.seconds(5))
        #expect(pool.send(.timerFired) == [])
        #expect(pool.send(.shutDown(deadline: deadline)) == [.scheduleTimer(at: deadline)])
        #expect(pool.advance(.seconds(5)) == [.close(connection)])
        #expect(pool.tell(.returned(connection, .clean)) == [])
        #expect(pool.tell(.closed(connection)) == [.finish])
    }

    @Test("can be hastened and not delayed")
    func twice() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        _ = pool.tell(.shutDown(deadline: deadline))
        _ = pool.tell(.shutDown(deadline: PoolInstant(.seconds(20))))
        #expect(pool.tell(.shutDown(deadline: PoolInstant(.zero))) == [.close(connection)])
    }
}
