import EventLoop
import Glibc
import Postgres
import TestDatabase
import TestSupport
import Testing

/// Stops, kills and starts its own disposable cluster.
@Suite(.onOwnThread) struct ServerFaultTests {
    private static let sleep = PostgresQuery("sleep", "SELECT pg_sleep(30)")
    private static let checkpointer = PostgresQuery(
        "checkpointer", "SELECT pid::bigint FROM pg_stat_activity WHERE backend_type = 'checkpointer'")

    @Test("A killed backend and a stopped server each cause a typed error, and a restarted server accepts connections")
    func faults() async throws {
        let server = try DisposableServer()
        defer { do { try server.remove() } catch { Issue.record(error) } }
        let configuration = PostgresConfiguration.patient(try server.url)

        // The server ends all sessions and restarts with a delay, in which it still accepts new connections.
        try await withLoop { loop in
            let run = try await Self.run(of: configuration, on: loop)
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            let error = await Self.failure(of: connection) { _ = kill(connection.serverProcess, SIGKILL) }
            #expect(error?.code == .connectionLost)
            #expect(error?.classification == .unavailable)
            #expect(connection.isClosed)
            let deadline = Deadline.soon
            while true {
                do throws(PostgresError) {
                    guard try await Self.run(of: configuration, on: loop) == run else { break }
                } catch {
                    guard error.classification == .unavailable else { throw error }
                }
                try #require(deadline > .now)
                try await loop.sleep(until: .after(.milliseconds(20)))
            }
        }

        try await withLoop { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            let postmaster = try #require(try server.process)
            let error = await Self.failure(of: connection) { _ = kill(postmaster, SIGINT) }
            #expect(error?.sqlState?.rawValue == "57P01")
            #expect(connection.isClosed)
        }
        try server.stop()

        try await withLoop { loop in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            }
            #expect(error?.classification == .unavailable)
        }
        try server.start()
        try await withConnection(configuration) { connection in #expect(connection.isUsable) }
    }

    /// Returns the error with which a sleeping query ends.
    private static func failure(of connection: PostgresConnection, after fault: () -> Void) async -> PostgresError? {
        let task = Task(executorPreference: connection.loop) { () -> PostgresError? in
            do throws(PostgresError) {
                try await connection.run(sleep, until: .soon)
                return nil
            } catch {
                return error
            }
        }
        do { try await connection.loop.sleep(until: .after(.milliseconds(100))) } catch { Issue.record(error) }
        fault()
        return await task.value
    }

    /// Returns the process that writes checkpoints, which changes with each start of the server.
    private static func run(of configuration: PostgresConfiguration, on loop: EventLoop) async throws(PostgresError) -> Int? {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
        defer { connection.close() }
        return try await connection.run(checkpointer, until: .soon).rows(as: Int.self).first
    }
}
