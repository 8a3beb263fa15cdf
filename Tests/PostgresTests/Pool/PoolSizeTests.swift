import Postgres
import Testing

@Suite("The size of a pool")
struct PoolSizeTests {
    @Test("The pool opens its minimum at the start")
    func minimum() {
        var pool = PoolHarness(minimum: 2, maximum: 4)
        #expect(pool.report(.started).connections.count == 2)
        #expect(pool.report(.started) == [])
    }

    @Test("The size never exceeds its maximum")
    func maximum() {
        var pool = PoolHarness(maximum: 3)
        let opened = (0..<10).flatMap { _ in pool.request().1.connections }
        #expect(opened.count == 3)
    }

    @Test("A connection counts until it is closed")
    func closing() throws {
        var pool = PoolHarness(minimum: 1, maximum: 1)
        let connection = try pool.report(.started).connections[only: 0]
        _ = pool.report(.connected(connection))
        _ = pool.advance(.seconds(5))
        #expect(pool.report(.lost(connection)) == [.close(connection)])
        #expect(pool.request().1 == [])
        #expect(pool.report(.closed(connection)).connections.count == 1)
    }

    @Test("The pool grows by one for each waiting request, except one that a check will serve")
    func growth() throws {
        var pool = PoolHarness(maximum: 4)
        let connection = try pool.lease()
        _ = pool.report(.returned(connection, .uncertain))
        #expect(pool.request().1 == [])
        #expect(pool.request().1.connections.count == 1)
    }

    @Test("The size falls to the minimum when connections are unused for the idle time")
    func idleTime() throws {
        var pool = PoolHarness(minimum: 1, maximum: 3) { $0.idleTime = .seconds(60) }
        let connections = [try pool.lease(), try pool.lease(), try pool.lease()]
        for connection in connections {
            _ = pool.report(.returned(connection, .clean))
            pool.now = pool.now.advanced(by: .seconds(1))
        }
        #expect(pool.advance(.seconds(57)) == [.close(connections[0])])
        #expect(pool.advance(.seconds(1)) == [.close(connections[1])])
        #expect(pool.advance(.seconds(600)) == [])
    }

    @Test("The size stays the same while connections are replaced at the end of their lifetime")
    func lifeTime() throws {
        var pool = PoolHarness(minimum: 1, maximum: 2) { $0.lifeTime = .seconds(600) }
        let connection = try pool.report(.started).connections[only: 0]
        #expect(pool.send(.connected(connection)).timers == [PoolInstant(.seconds(600))])
        #expect(pool.advance(.seconds(599)) == [])
        let actions = pool.advance(.seconds(1))
        let next = try actions.connections[only: 0]
        #expect(actions == [.close(connection), .connect(next)])
    }

    @Test("A leased connection is closed at the end of its lifetime only after its return")
    func leasedLifeTime() throws {
        var pool = PoolHarness { $0.lifeTime = .seconds(600) }
        let connection = try pool.lease()
        #expect(pool.advance(.seconds(700)) == [])
        #expect(pool.report(.returned(connection, .clean)) == [.close(connection)])
    }

    @Test("Connections that were opened together expire gradually")
    func jitter() {
        var pool = PoolHarness(minimum: 20, maximum: 20) {
            $0.lifeTime = .seconds(1_000)
            $0.lifeTimeJitter = 0.5
        }
        let connections = pool.report(.started).connections
        for connection in connections { _ = pool.report(.connected(connection)) }
        #expect(pool.advance(.seconds(500)) == [])
        let closed = (0..<500).map { _ in pool.advance(.seconds(1)).count { if case .close = $0 { true } else { false } } }
        #expect(closed.reduce(0, +) == 20)
        #expect(closed.count { $0 > 0 } > 15)
    }
}
