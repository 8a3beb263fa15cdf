import EventLoop
import Postgres
import Settings
import Testing

/// A pool to a suite's database on a loop of its own, for the length of a test; expects that it leaves nothing on the loop.
func withPool(
    to database: String, minimum: Int = 0, maximum: Int = 2, limiting limit: (inout PoolLimits) -> Void = { _ in },
    _ body: @escaping @Sendable (PostgresPool) async throws -> Void
) async throws {
    var configuration = PostgresConfiguration(url: try TestServer.url(of: database))
    configuration.cancelGrace = .seconds(30)
    configuration.applicationName = "pool \(UInt32.random(in: 0 ... .max))"
    try await withPool(configuration, minimum: minimum, maximum: maximum, limiting: limit, body)
}

func withPool(
    _ configuration: PostgresConfiguration, minimum: Int = 0, maximum: Int = 2, limiting limit: (inout PoolLimits) -> Void = { _ in },
    observer: @escaping @Sendable (PoolNotice) -> Void = { _ in }, _ body: @escaping @Sendable (PostgresPool) async throws -> Void
) async throws {
    var limits = PoolLimits(minimum: minimum, maximum: maximum)
    limit(&limits)
    try await withLoop { [limits] loop in
        let pool = PostgresPool(configuration, limits: limits, on: loop, observer: observer)
        pool.start()
        let result = await Task(executorPreference: loop) { try await body(pool) }.result
        await pool.shutDown(until: .soon)
        expectNothingLeft(of: pool)
        try result.get()
    }
}
