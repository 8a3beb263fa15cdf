package import Postgres

/// Runs a body with a pool for the database of the suite or the test, on a separate event loop.
package func withPool(
    minimum: Int = 0, maximum: Int = 2, limiting limit: (inout PoolLimits) -> Void = { _ in },
    _ body: @escaping @Sendable (PostgresPool) async throws -> Void
) async throws {
    var configuration = try ScratchDatabase.current.configuration
    configuration.applicationName = "pool \(UInt32.random(in: 0 ... .max))"
    try await withPool(configuration, minimum: minimum, maximum: maximum, limiting: limit, body)
}

/// Runs a body with a pool. Throws if the pool still has a connection or a waiting request after its shutdown.
package func withPool(
    _ configuration: PostgresConfiguration, minimum: Int = 0, maximum: Int = 2, limiting limit: (inout PoolLimits) -> Void = { _ in },
    observer: @escaping @Sendable (PoolStatusChange) -> Void = { _ in }, _ body: @escaping @Sendable (PostgresPool) async throws -> Void
) async throws {
    var limits = PoolLimits(minimum: minimum, maximum: maximum)
    // On a machine that is busy with other tests, a slow connection is kept.
    limits.attemptTime = .seconds(30)
    limits.checkTime = .seconds(30)
    limit(&limits)
    try await withLoop { [limits] loop in
        let pool = PostgresPool(configuration, limits: limits, on: loop, observer: observer)
        pool.start()
        let result = await Task(executorPreference: loop) { try await body(pool) }.result
        await pool.shutDown(until: .soon)
        try result.get()
        let status = pool.status
        guard status.leased + status.idle + status.others + status.waiting == 0 else { throw Leftovers("\(status)") }
    }
}
