import EventLoop
import Glibc
import Postgres
import TestDatabase
import TestSupport
import Testing

/// Uses its own disposable cluster, whose only synchronous standby does not exist.
@Suite("A commit that waits for a synchronous standby", .onOwnThread)
struct StandbyTests {
    private static let waiting = PostgresQuery("waiting", "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")

    @Test("A commit has an unknown outcome if its wait is canceled, with and without a transaction of the caller")
    func canceled() async throws {
        // A commit waits only where the test requires it.
        let server = try DisposableServer(parameters: ["synchronous_standby_names": "nobody", "synchronous_commit": "off"])
        defer { do { try server.remove() } catch { Issue.record(error) } }
        let configuration = PostgresConfiguration.patient(try server.url)
        try await withConnection(configuration) { other in
            let connection = try await PostgresConnection.connect(configuration, on: other.loop, until: .soon)
            defer { connection.close() }
            try await connection.runScript("prepare", "CREATE TABLE kept (n int8)", until: .soon)
            try await connection.runScript("wait", "SET synchronous_commit = on", until: .soon)

            let error = try await Self.failure(of: connection, canceledBy: other) {
                try await connection.transaction(until: .soon) { connection in try await connection.run(Self.insert(1), until: .soon) }
            }
            #expect(error?.code == .outcomeUnknown && error?.classification == .unavailable, "\(error as Any)")
            #expect(connection.isUsable)

            // A statement that commits without an explicit transaction is not confirmed either.
            let alone = try await Self.failure(of: connection, canceledBy: other) { try await connection.run(Self.insert(2), until: .soon) }
            #expect(alone?.code == .outcomeUnknown, "\(alone as Any)")
            let script = try await Self.failure(of: connection, canceledBy: other) {
                try await connection.runScript("script", "INSERT INTO kept VALUES (3)", until: .soon)
            }
            #expect(script?.code == .outcomeUnknown, "\(script as Any)")

            // All rows are stored, but on no standby. Later statements do not report the earlier failures.
            let rows = try await connection.transaction(until: .soon) { connection in
                try await connection.rows(of: PostgresQuery("kept", "SELECT n FROM kept ORDER BY n"), as: Int.self, until: .soon)
            }
            #expect(rows == [1, 2, 3])
        }
    }

    private static func insert(_ number: Int) -> PostgresQuery { PostgresQuery("insert", "INSERT INTO kept VALUES ($1)", number) }

    /// Returns the error of a body whose commit is canceled once it waits.
    private static func failure(
        of connection: PostgresConnection, canceledBy other: PostgresConnection,
        _ body: @escaping @Sendable () async throws -> some Sendable
    ) async throws -> PostgresError? {
        async let failure = Self.failure(of: connection, body)
        let process = connection.serverProcess
        try await wait(while: try await !other.rows(of: waiting, as: Int32.self, until: .soon).contains(where: { $0 == process }))
        try await other.run(PostgresQuery("cancel", "SELECT pg_cancel_backend($1)", process), until: .soon)
        return await failure
    }

    private static func failure(
        of connection: PostgresConnection, _ body: @escaping @Sendable () async throws -> some Sendable
    ) async -> PostgresError? {
        do {
            _ = try await Task(executorPreference: connection.loop) { try await body() }.value
            return nil
        } catch {
            return error as? PostgresError
        }
    }
}
