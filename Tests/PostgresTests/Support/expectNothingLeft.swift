import EventLoop
import Postgres
import Testing

/// Of a pool that has shut down: no connection, nobody who waits, and nothing registered with its loop.
func expectNothingLeft(of pool: PostgresPool, sourceLocation: SourceLocation = #_sourceLocation) {
    let status = pool.status
    #expect(status.leased + status.idle + status.others + status.waiting == 0, "\(status)", sourceLocation: sourceLocation)
    #expect(pool.loop.registrations == (0, 0), sourceLocation: sourceLocation)
}
