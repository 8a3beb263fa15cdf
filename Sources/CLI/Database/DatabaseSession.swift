internal import EventLoop
import Host
import Postgres
internal import Settings

/// A connection for the duration of a command, on its own loop.
struct DatabaseSession {
    let url: DatabaseURL
    var configuration: PostgresConfiguration
    /// The signals that end the session early. They must be held before a second thread starts.
    var interrupts: [Signal] = []

    init(_ url: DatabaseURL, _ settings: Settings, as name: String) {
        self.url = url
        configuration = PostgresConfiguration(url, settings)
        configuration.applicationName = name
    }

    /// Runs a body on the loop with the connection. An interrupt cancels the body's task and waits for its end.
    ///
    /// Blocks the calling thread. If the main thread were suspended instead, libdispatch would take it over and let
    /// through every signal that was held.
    func run<Result: Sendable>(_ body: @escaping @Sendable (PostgresConnection) async throws -> Result) throws -> Result {
        let loop = try EventLoop(name: "database")
        let promise = BlockingPromise<Swift.Result<Result, any Error>>()
        Task(executorPreference: loop) { promise.fulfill(await result(of: body, on: loop)) }
        defer { loop.requestStop() }
        do {
            return try promise.wait().get()
        } catch let error as PostgresError {
            throw DatabaseFailure(error, at: url)
        } catch let error as MigrationError {
            throw DatabaseFailure(error, at: url)
        }
    }

    private func result<Result: Sendable>(
        of body: @escaping @Sendable (PostgresConnection) async throws -> Result, on loop: EventLoop
    ) async -> Swift.Result<Result, any Error> {
        await withTaskGroup(of: Swift.Result<Result, any Error>?.self) { group in
            group.addTask(executorPreference: loop) {
                do { return .success(try await connected(on: loop, body)) } catch { return .failure(error) }
            }
            if !interrupts.isEmpty {
                group.addTask(executorPreference: loop) {
                    do throws(EventLoopError) { _ = try await loop.next(of: interrupts, until: .never) } catch {}
                    return nil
                }
            }
            for await result in group {
                group.cancelAll()
                if let result { return result }
            }
            preconditionFailure("the body has a result")
        }
    }

    private func connected<Result>(
        on loop: EventLoop, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(configuration.connectTimeout * 4))
        defer { connection.close() }
        return try await body(connection)
    }
}
