internal import Arguments
internal import EventLoop
import Postgres
internal import Server

/// A dry run of the pending migrations.
struct MigrationTrial {
    let console: Console
    let runner: MigrationRunner
    let session: DatabaseSession

    /// Tries the pending migrations, undoes them, and returns their effects.
    func report() throws -> MigrationReport {
        let current = PostgresQuery(NamedQuery("migrations.current_database"), isPrepared: false)
        let (status, database) = try session.run { [runner] connection in
            let status = try await runner.status(connection)
            return (status, try await connection.rows(of: current, as: String.self, until: .after(.seconds(30))).first ?? "")
        }
        do throws(MigrationConflict) {
            if try status.plan().isEmpty { return MigrationReport(method: .transaction) }
        } catch {
            throw DatabaseFailure(error)
        }
        guard let addition = status.pendingEnumValue else {
            return try session.run { [console, runner] connection in
                try await runner.migrate(connection, reportingTo: console, undoneBy: .transaction)
            }
        }
        let copy = DatabaseCopy(
            console: console, session: session, database: database,
            reason: "\(addition) adds a value to an enum, which other migrations cannot use in the same transaction")
        return try copy.run { [console, runner] connection in
            do throws(MigrationError) {
                return try await runner.migrate(connection, reportingTo: console, undoneBy: .copy)
            } catch {
                guard let cause = error.cause, cause.code == .cancelled else { throw error }
                throw cause
            }
        }
    }
}

extension MigrationRunner {
    /// Runs or tries the pending migrations, prints their progress, and returns their effects.
    func migrate(
        _ connection: PostgresConnection, reportingTo console: Console, undoneBy method: MigrationReport.Method? = nil
    ) async throws(MigrationError) -> MigrationReport {
        try await migrate(connection, undoneBy: method) { progress in
            if case .finished = progress, method != nil { return }
            console.report(progress)
        }
    }

    /// Runs or tries the pending migrations, and returns their effects.
    func migrate(
        _ connection: PostgresConnection, undoneBy method: MigrationReport.Method? = nil,
        recordingTo record: @escaping (MigrationProgress) -> Void
    ) async throws(MigrationError) -> MigrationReport {
        var inspector = MigrationInspector(method)
        let progress = { (progress: MigrationProgress) in
            inspector.record(progress)
            record(progress)
        }
        let inspect = { (id: MigrationID, stage: Stage, connection: PostgresConnection) in
            try await inspector.inspect(id, stage, connection)
        }
        if method == .transaction {
            try await dryRun(connection, progress: progress, inspect: inspect)
        } else {
            try await migrate(connection, progress: progress, inspect: inspect)
        }
        return inspector.report
    }
}

extension Console {
    /// Reports the progress of the migrations, one line each. A terminal shows only the last state of a line.
    fileprivate func report(_ progress: MigrationProgress) {
        switch progress {
        case .applying where rewritesLine: printStatus("\(progress)")
        case .applied where rewritesLine, .failed where rewritesLine, .interrupted where rewritesLine:
            printStatus("\r\u{1B}[K\(progress)\n")
        default: printStatus("\(progress)\n")
        }
    }
}
