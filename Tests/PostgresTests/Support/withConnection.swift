import EventLoop
import Postgres
import Settings
import Testing

/// A connection to a suite's database on a loop of its own, for the length of a test.
func withConnection(
    to database: String, _ configure: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    var configuration = PostgresConfiguration(url: try TestServer.url(of: database))
    // Deadlines are the tests' own; on a busy machine the server's would come first.
    configuration.statementTimeout = .seconds(60)
    configuration.cancelGrace = .seconds(30)
    configure(&configuration)
    try await withConnection(configuration, body)
}

func withConnection(
    _ configuration: PostgresConfiguration, _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    try await withLoop { loop in
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
        do {
            try await body(connection)
        } catch {
            connection.close()
            throw error
        }
        connection.close()
    }
}

/// Runs a body as a task that prefers a loop of its own.
func withLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop(name: "test")
    let task = Task(executorPreference: loop) {
        try await body(loop)
        #expect(loop.registrations == (0, 0), "whatever was waited for")
    }
    let result = await task.result
    await loop.stop()
    try result.get()
}

extension Deadline {
    /// Long enough for a loaded machine.
    static var soon: Deadline { .after(.seconds(20)) }
}

/// Expects a database error of this code and returns it.
@discardableResult
func expectFailure<Result>(
    _ code: PostgresError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    of call: () async throws(PostgresError) -> Result
) async -> PostgresError? {
    do throws(PostgresError) {
        _ = try await call()
        Issue.record("no error, instead of \(code)", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    }
}
