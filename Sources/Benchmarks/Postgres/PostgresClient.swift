import EventLoop
import Host
import Postgres
import Settings

/// A loop with a pool of four connections, called from a thread that waits for the responses.
final class PostgresClient: Sendable {
    private let loop: EventLoop
    private let pool: PostgresPool
    private let pipe: SignalPipe

    init(_ url: DatabaseURL) throws {
        loop = try EventLoop(name: "bench")
        pipe = try SignalPipe()
        var configuration = PostgresConfiguration(url: url)
        configuration.statementTimeout = .longestStep
        pool = PostgresPool(configuration, limits: PoolLimits(minimum: 4, maximum: 4), on: loop)
        try run { $0.start() }
    }

    func run<Result: Sendable>(_ body: @escaping @Sendable (PostgresPool) async throws -> Result) throws -> Result {
        let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
        Task(executorPreference: loop) { [pool, pipe] in
            do {
                let result = try await body(pool)
                outcome.withLock { $0 = .success(result) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            pipe.send()
        }
        pipe.receive()
        guard let result = outcome.withLock({ $0 }) else { throw BenchmarkFailure(reason: "the event loop returned no result") }
        return try result.get()
    }

    func run(_ statements: String...) throws {
        try run { pool in
            for sql in statements { try await pool.run(PostgresQuery("statement", sql, isPrepared: false), until: .late) }
        }
    }

    func close() throws {
        try run { await $0.shutDown(until: .late) }
        loop.requestStop()
    }
}

extension Deadline {
    /// A deadline for operations of unknown length.
    static var late: Deadline { .after(.longestStep) }
}
