import Postgres
import Testing

@Suite("The leases of a pool")
struct PoolLeaseTests {
    @Test("A first request opens a connection and leases it")
    func firstRequest() throws {
        var pool = PoolHarness()
        let (waiter, actions) = pool.request()
        let connection = try actions.connections[only: 0]
        #expect(actions == [.connect(connection)])
        #expect(pool.report(.connected(connection)) == [.lease(connection, to: waiter)])
    }

    @Test("A request gets the connection that was returned last")
    func reuse() throws {
        var pool = PoolHarness()
        let first = try pool.lease()
        let second = try pool.lease()
        #expect(pool.report(.returned(second, .clean)) == [])
        #expect(pool.report(.returned(first, .clean)) == [])
        let (waiter, actions) = pool.request()
        #expect(actions == [.lease(first, to: waiter)])
    }

    @Test("Waiting requests are served in the order of their arrival")
    func order() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let waiters = (0..<3).map { _ in
            let (waiter, actions) = pool.request()
            #expect(actions == [])
            return waiter
        }
        for waiter in waiters {
            #expect(pool.report(.returned(connection, .clean)) == [.lease(connection, to: waiter)])
        }
    }

    @Test("A connection that was returned in an uncertain state is checked before its next lease")
    func uncertain() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let (waiter, _) = pool.request()
        #expect(pool.report(.returned(connection, .uncertain)) == [.check(connection)])
        #expect(pool.report(.checked(connection, isHealthy: true)) == [.lease(connection, to: waiter)])
    }

    @Test("A connection that fails its check is closed and replaced before the next lease")
    func unhealthy() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let (waiter, _) = pool.request()
        _ = pool.report(.returned(connection, .uncertain))
        #expect(pool.report(.checked(connection, isHealthy: false)) == [.close(connection)])
        let next = try pool.report(.closed(connection)).connections[only: 0]
        #expect(next != connection)
        #expect(pool.report(.connected(next)) == [.lease(next, to: waiter)])
    }

    @Test("A broken connection is closed before a new one is opened")
    func broken() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        _ = pool.advance(.seconds(5))
        _ = pool.request()
        #expect(pool.report(.returned(connection, .broken)) == [.close(connection)])
        #expect(pool.report(.closed(connection)).connections.count == 1)
    }

    @Test("A leased connection that is lost is closed when it is returned")
    func lostWhileLeased() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        #expect(pool.report(.lost(connection)) == [])
        #expect(pool.report(.returned(connection, .clean)) == [.close(connection)])
    }

    @Test("An idle connection that is lost is never leased")
    func lostWhileIdle() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        _ = pool.report(.returned(connection, .clean))
        _ = pool.advance(.seconds(5))
        #expect(pool.report(.lost(connection)) == [.close(connection)])
        let (_, actions) = pool.request()
        #expect(actions.leases == [] && actions.connections.count == 1)
    }

    @Test("A late or repeated event does not end a lease")
    func unexpectedEvents() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        for event: PoolEvent in [
            .connected(connection), .connectFailed(connection, .final), .checked(connection, isHealthy: false), .closed(connection),
            .cancelled(PoolWaiterID(1)), .timerFired, .started,
        ] {
            #expect(pool.report(event) == [])
        }
        _ = pool.report(.returned(connection, .clean))
        #expect(pool.report(.returned(connection, .broken)) == [])
        #expect(pool.request().1.leases == [connection])
    }
}
