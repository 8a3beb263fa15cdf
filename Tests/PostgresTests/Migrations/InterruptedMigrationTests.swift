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

    private struct Interruption {
        let fate: Fate
        let after: Duration
    }

    @Test("at a random moment, alone or beside another, and run again ends in the same schema")
    func random() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        try await withConnection(to: "interrupted_reference") { connection in try await Warehouse.runner().migrate(connection) }
        let expected = try Warehouse.contents(of: "interrupted_reference")
        for round in 0..<12 {
            let runs = (0..<(1 + round % 2)).map { _ in
                Interruption(
                    fate: Fate.allCases.randomElement(using: &random) ?? .cancelled,
                    after: .milliseconds(Int.random(in: 0...150, using: &random)))
            }
            let configuration = PostgresConfiguration(url: try TestServer.url(of: "interrupted_\(round)"))
            try await withLoop { loop in
                try await withThrowingTaskGroup { group in
                    for run in runs {
                        group.addTask(executorPreference: loop) { try await Self.interrupt(configuration, on: loop, run) }
                    }
                    try await group.waitForAll()
                }
            }
            try await withConnection(configuration) { connection in try await Warehouse.runner().migrate(connection) }
            #expect(try Warehouse.contents(of: "interrupted_\(round)") == expected, "seed \(seed), round \(round): \(runs)")
        }
    }

    private static func interrupt(
        _ configuration: PostgresConfiguration, on loop: EventLoop, _ interruption: Interruption
    ) async throws {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
        let run = Task(executorPreference: loop) {
            try await MigrationRunnerTests.failure { try await Warehouse.runner().migrate(connection) }
        }
        try await loop.sleep(until: .after(interruption.after))
        switch interruption.fate {
        case .programKilled: connection.close()
        case .serverProcessEnded: _ = kill(connection.serverProcess, SIGTERM)
        case .cancelled: run.cancel()
        }
        let error = try await run.value
        if let error, case .refused = error { throw error }
        if !connection.isClosed { connection.close() }
    }
}
