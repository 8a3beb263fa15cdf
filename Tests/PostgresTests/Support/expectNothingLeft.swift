import EventLoop
import Postgres
import Testing

/// Expects that a pool after its shutdown has no connections, no waiters, and nothing registered with its event loop.
func expectNothingLeft(of pool: PostgresPool, sourceLocation: SourceLocation = #_sourceLocation) {
    let status = pool.status
    #expect(status.leased + status.idle + status.others + status.waiting == 0, "\(status)", sourceLocation: sourceLocation)
    #expect(pool.loop.registrations == (0, 0), sourceLocation: sourceLocation)
}
