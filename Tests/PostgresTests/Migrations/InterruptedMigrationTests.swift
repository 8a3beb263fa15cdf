import EventLoop
import Glibc
import Postgres
import TestDatabase
import TestSupport
import Testing

/// The effects of a killed program, a killed server process and two programs at the same time.
@Suite("An interrupted run of migrations", .onOwnThread)
struct InterruptedMigrationTests {
    /// The ways to interrupt a run. The server sees a killed program as the end of its socket.
    private enum Fate: CaseIterable {
        case programKilled
        case serverProcessEnded
        case cancelled
    }

    private struct Interruption {
        let fate: Fate
        let after: Duration
    }

    @Test("A run that is interrupted at a random time, alone or next to another, and repeated ends in the same schema", .database(.empty))
    func random() async throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        try await withConnection { connection in try await Warehouse.runner().migrate(connection) }
        let expected = try Warehouse.contents(of: .current)
        for round in 0..<12 {
            let runs = (0..<(1 + round % 2)).map { _ in
                Interruption(
                    fate: Fate.allCases.randomElement(using: &random) ?? .cancelled,
                    after: .milliseconds(Int.random(in: 0...150, using: &random)))
            }
            try await ScratchDatabase.run(.empty) { database in
                let configuration = database.configuration
                try await withLoop { loop in
                    try await withThrowingTaskGroup { group in
                        for run in runs {
                            group.addTask(executorPreference: loop) { try await Self.interrupt(configuration, on: loop, run) }
                        }
                        try await group.waitForAll()
                    }
                }
                try await withConnection(configuration) { connection in try await Warehouse.runner().migrate(connection) }
                #expect(try Warehouse.contents(of: database) == expected, "seed \(seed), round \(round): \(runs)")
            }
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
