import Postgres
import Testing

@Suite("Leases of a pool")
struct PoolLeaseTests {
    @Test("are what a request opens a connection for")
    func firstRequest() throws {
        var pool = PoolHarness()
        let (waiter, actions) = pool.request()
        let connection = try actions.connections[only: 0]
        #expect(actions == [.connect(connection)])
        #expect(pool.report(.connected(connection)) == [.lease(connection, to: waiter)])
    }

    @Test("reuse the connection that was returned last")
    func reuse() throws {
        var pool = PoolHarness()
        let first = try pool.lease()
        let second = try pool.lease()
        #expect(pool.report(.returned(second, .clean)) == [])
        #expect(pool.report(.returned(first, .clean)) == [])
        let (waiter, actions) = pool.request()
        #expect(actions == [.lease(first, to: waiter)])
    }

    @Test("go to those who wait in the order in which they came")
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

    @Test("begin with a check where the one before left the connection in doubt")
    func uncertain() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        let (waiter, _) = pool.request()
        #expect(pool.report(.returned(connection, .uncertain)) == [.check(connection)])
        #expect(pool.report(.checked(connection, isHealthy: true)) == [.lease(connection, to: waiter)])
    }

    @Test("never begin on a connection that failed its check")
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

    @Test("of a broken connection end in its closing, and only then in a new one")
    func broken() throws {
        var pool = PoolHarness(maximum: 1)
        let connection = try pool.lease()
        _ = pool.advance(.seconds(5))
        _ = pool.request()
        #expect(pool.report(.returned(connection, .broken)) == [.close(connection)])
        #expect(pool.report(.closed(connection)).connections.count == 1)
    }

    @Test("of a connection that was lost meanwhile last until it is returned")
    func lostWhileLeased() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        #expect(pool.report(.lost(connection)) == [])
        #expect(pool.report(.returned(connection, .clean)) == [.close(connection)])
    }

    @Test("do not happen on an idle connection that was lost")
    func lostWhileIdle() throws {
        var pool = PoolHarness()
        let connection = try pool.lease()
        _ = pool.report(.returned(connection, .clean))
        _ = pool.advance(.seconds(5))
        #expect(pool.report(.lost(connection)) == [.close(connection)])
        let (_, actions) = pool.request()
        #expect(actions.leases == [] && actions.connections.count == 1)
    }

    @Test("are not ended by an event that is late or repeated")
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
