import EventLoop
import Glibc
import Postgres
import TestSupport
import Testing

/// What a killed program, a killed server process and two programs at once leave behind.
@Suite("An interrupted run of migrations")
struct InterruptedMigrationTests {
    /// The first is what a server sees of a program that is killed: the end of its socket.
    private enum Fate: CaseIterable {
        case programKilled
        case serverProcessEnded
        case cancelled
    }

    @Test("at a random moment, alone or beside another, and run again ends in the same schema", arguments: 0..<12)
    func killed(round: Int) async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        try await withConnection(to: "interrupted_reference") { connection in try await Warehouse.runner().migrate(connection) }
        let expected = try Warehouse.contents(of: "interrupted_reference")

        let database = "interrupted_\(round)"
        let configuration = PostgresConfiguration(url: try TestServer.url(of: database))
        let runs = (0..<(1 + round % 2)).map { _ in
            (fate: Fate.allCases.randomElement(using: &random), after: Duration.milliseconds(Int.random(in: 0...150, using: &random)))
        }
        try await withLoop { loop in
            await withTaskGroup { group in
                for run in runs {
                    group.addTask(executorPreference: loop) {
                        do {
                            try await Self.interrupt(configuration, on: loop, run.fate, after: run.after)
                        } catch {
                            Issue.record("seed \(seed): \(error)")
                        }
                    }
                }
            }
        }
        try await withConnection(configuration) { connection in
            try await Warehouse.runner().migrate(connection)
        }
        #expect(try Warehouse.contents(of: database) == expected, "seed \(seed), \(runs)")
    }

    private static func interrupt(
        _ configuration: PostgresConfiguration, on loop: EventLoop, _ fate: Fate?, after duration: Duration
    ) async throws {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
        let run = Task(executorPreference: loop) {
            try await MigrationRunnerTests.failure { try await Warehouse.runner().migrate(connection) }
        }
        try await loop.sleep(until: .after(duration))
        switch fate {
        case .programKilled: connection.close()
        case .serverProcessEnded: _ = kill(connection.serverProcess, SIGTERM)
        case .cancelled, nil: run.cancel()
        }
        let error = try await run.value
        if let error, case .refused = error { throw error }
        if !connection.isClosed { connection.close() }
    }
}
