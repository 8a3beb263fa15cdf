import EventLoop
import Glibc
import Postgres
import TestDatabase
import TestSupport
import Testing

/// Against a cluster of its own, which it stops, kills and starts.
@Suite(.onOwnThread) struct ServerFaultTests {
    private static let sleep = PostgresQuery("sleep", "SELECT pg_sleep(30)")

    @Test("a killed backend, a stopped server and a started one: a typed error each within the deadline, and no descriptor is left")
    func faults() async throws {
        let server = try DisposableServer()
        defer { do { try server.remove() } catch { Issue.record(error) } }
        let configuration = PostgresConfiguration.patient(try server.url)

        // The server ends every session and starts anew.
        try await withConnection(configuration) { connection in
            let error = await Self.failure(of: connection) { _ = kill(connection.serverProcess, SIGKILL) }
            #expect(error?.code == .connectionLost)
            #expect(error?.classification == .unavailable)
            #expect(connection.isClosed)
        }
        try await withLoop { loop in
            let again = try await Self.connectOnceUp(configuration, on: loop)
            #expect(again.isUsable)
            again.close()
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

    /// What a sleeping query ends with.
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

    /// Tries again while the server recovers.
    private static func connectOnceUp(_ configuration: PostgresConfiguration, on loop: EventLoop) async throws -> PostgresConnection {
        let deadline = Deadline.soon
        while true {
            do throws(PostgresError) {
                return try await PostgresConnection.connect(configuration, on: loop, until: deadline)
            } catch {
                guard error.classification == .unavailable, deadline > .now else { throw error }
            }
            try await loop.sleep(until: .after(.milliseconds(20)))
        }
    }
}
