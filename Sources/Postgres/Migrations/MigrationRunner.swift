package import EventLoop
internal import Values

/// A runner that migrates a database to the program's schema and reports the current status.
///
/// Its lock belongs to a session, so it uses one connection and never replaces it. Runs that are killed at any time and
/// restarted, or that run concurrently, end in the same schema.
package struct MigrationRunner: Sendable {
    /// The time that a migration waits for a lock on a table in use.
    package var lockTimeout = Duration.seconds(5)
    /// The time to wait for another run to end.
    package var timeout = Duration.seconds(600)

    /// The number of times that a migration is tried if it loses a deadlock each time.
    private static let attempts = 3

    private let migrations: MigrationSet

    package init(_ migrations: MigrationSet) {
        self.migrations = migrations
    }

    package var newest: MigrationID? { migrations.migrations.last?.id }

    /// The stages of a migration in its transaction.
    package enum Stage: Sendable {
        case before
        case after
    }

    /// An inspection of the database before and after a migration, in its transaction. An error rolls back the migration.
    package typealias Inspection = (MigrationID, Stage, PostgresConnection) async throws -> Void

    /// Runs the pending migrations, each in its own transaction and without a time limit.
    ///
    /// Canceling the task rolls back the current migration. The session keeps the timeouts of the run. A migration that loses a
    /// deadlock with other sessions is tried again. It can lock tables in another order than an import.
    package func migrate(
        _ connection: PostgresConnection, progress: (MigrationProgress) -> Void = { _ in }, inspect: Inspection = { _, _, _ in }
    ) async throws(MigrationError) {
        try await locked(connection, progress) { () async throws(MigrationError) in
            try await prepareBookkeeping(connection)
            let plan = try await plan(connection)
            for (index, migration) in plan.enumerated() {
                let position = MigrationProgress.Position(index + 1, of: plan.count)
                try await report(migration.id, position, progress) {
                    try await repeatedAfterDeadlocks {
                        try await connection.transaction(until: .never) { connection in
                            try await inspect(migration.id, .before, connection)
                            try await run(migration, connection)
                            try await inspect(migration.id, .after, connection)
                        }
                    }
                }
            }
            progress(.finished(plan.count, latest: newest))
        }
    }

    /// Tries the pending migrations in one transaction, and rolls it back.
    ///
    /// The transaction keeps the locks of all migrations until its end. A migration that adds a value to an enum cannot be
    /// tried in this way, because a later one cannot use the value in the same transaction: see
    /// ``MigrationStatus/pendingEnumValue``.
    package func dryRun(
        _ connection: PostgresConnection, progress: (MigrationProgress) -> Void = { _ in }, inspect: Inspection = { _, _, _ in }
    ) async throws(MigrationError) {
        try await locked(connection, progress) { () async throws(MigrationError) in
            do {
                try await connection.transaction(until: .never) { connection in
                    try await prepareBookkeeping(connection)
                    let plan = try await plan(connection)
                    for (index, migration) in plan.enumerated() {
                        let position = MigrationProgress.Position(index + 1, of: plan.count)
                        try await report(migration.id, position, progress) {
                            try await inspect(migration.id, .before, connection)
                            try await run(migration, connection)
                            try await connection.run(PostgresQuery(MigrationStatements.checkDeferred, isPrepared: false), until: .never)
                            try await inspect(migration.id, .after, connection)
                        }
                    }
                    throw DryRunRollback()
                }
            } catch is DryRunRollback {
            } catch let error as MigrationError {
                throw error.cause.map { $0.code == .cancelled ? .database($0) : error } ?? error
            } catch {
                throw .database(error as? PostgresError ?? PostgresError(.misuse, "\(error)"))
            }
        }
    }

    private struct DryRunRollback: Error {}

    /// Runs a body while the session has the lock of migrations.
    private func locked(
        _ connection: PostgresConnection, _ progress: (MigrationProgress) -> Void, _ body: () async throws(MigrationError) -> Void
    ) async throws(MigrationError) {
        do throws(MigrationError) {
            try await lock(connection, progress)
            do throws(PostgresError) { try await setTimeouts(lockTimeout, connection) } catch { throw .database(error) }
            try await body()
        } catch {
            // Also if the lock did not seem to be acquired: the cancellation may have crossed it on its way.
            await unlock(connection)
            throw error
        }
        await unlock(connection)
    }

    /// Returns the current status without changing the database.
    package func status(
        _ connection: PostgresConnection, until deadline: Deadline = .after(.seconds(30))
    ) async throws(MigrationError) -> MigrationStatus {
        do throws(PostgresError) {
            let hasBookkeeping = try await isTrue(MigrationStatements.hasBookkeeping, connection, until: deadline)
            return MigrationStatus(migrations, recorded: hasBookkeeping ? try await recorded(connection, until: deadline) : [])
        } catch {
            throw .database(error)
        }
    }

    private func lock(_ connection: PostgresConnection, _ progress: (MigrationProgress) -> Void) async throws(MigrationError) {
        do throws(PostgresError) {
            try await setTimeouts(timeout, connection)
            if try await isTrue(MigrationStatements.tryLock, connection) { return }
            progress(.waitingForAnother)
            try await connection.run(PostgresQuery(MigrationStatements.lock, isPrepared: false), until: .after(timeout + .seconds(5)))
        } catch {
            throw error.sqlState == .lockNotAvailable ? .busy(error) : .database(error)
        }
    }

    /// Runs in its own task, because the calling task may be canceled.
    private func unlock(_ connection: PostgresConnection) async {
        await Task(executorPreference: connection.loop) {
            guard !connection.isClosed else { return }
            do throws(PostgresError) {
                try await connection.run(PostgresQuery(MigrationStatements.unlock, isPrepared: false), until: .soon)
            } catch {
                // The lock ends with its session.
                connection.close()
            }
        }.value
    }

    private func prepareBookkeeping(_ connection: PostgresConnection) async throws(MigrationError) {
        do throws(PostgresError) {
            if try await !isTrue(MigrationStatements.hasBookkeeping, connection) {
                try await connection.run(MigrationStatements.createBookkeeping.map { PostgresQuery($0, isPrepared: false) }, until: .soon)
            } else if try await !isTrue(MigrationStatements.isBookkeepingComplete, connection) {
                try await connection.run(PostgresQuery(MigrationStatements.completeBookkeeping, isPrepared: false), until: .soon)
            }
        } catch {
            throw .database(error)
        }
    }

    private func plan(_ connection: PostgresConnection) async throws(MigrationError) -> [Migration] {
        let status = try await status(connection)
        do throws(MigrationConflict) { return try status.plan() } catch { throw .refused(error) }
    }

    /// Runs the attempt of a migration, and reports its start and its end.
    private func report(
        _ id: MigrationID, _ position: MigrationProgress.Position, _ progress: (MigrationProgress) -> Void,
        _ attempt: () async throws -> Void
    ) async throws(MigrationError) {
        progress(.applying(id, position))
        let start = ContinuousClock.now
        do {
            try await attempt()
        } catch {
            let cause = error as? PostgresError ?? PostgresError(.misuse, "\(error)")
            if cause.code == .outcomeUnknown { throw .uncertain(id, cause) }
            progress(cause.code == .cancelled ? .interrupted(id, position) : .failed(id, position))
            throw .failed(id, cause)
        }
        progress(.applied(id, position, took: ContinuousClock.now - start))
    }

    private func repeatedAfterDeadlocks(_ attempt: () async throws -> Void) async throws {
        for _ in 1..<Self.attempts {
            do {
                return try await attempt()
            } catch let error as PostgresError where error.sqlState == .deadlockDetected {
                continue
            }
        }
        try await attempt()
    }

    /// Runs the statements of a migration and records it, in the open transaction.
    private func run(_ migration: Migration, _ connection: PostgresConnection) async throws(PostgresError) {
        let id = migration.id
        try await connection.run(PostgresQuery(MigrationStatements.setSearchPath, isPrepared: false), until: .soon)
        try await connection.runScript("\(id).sql", migration.sql, until: .never)
        let record = PostgresQuery(
            MigrationStatements.record, Int32(clamping: id.number), id.name, Bytes(migration.checksum.bytes), migration.breaksOlderPrograms,
            isPrepared: false)
        try await connection.run(record, until: .soon)
    }

    private func setTimeouts(_ lockTimeout: Duration, _ connection: PostgresConnection) async throws(PostgresError) {
        let milliseconds = "\(max(1, Int64(lockTimeout / .milliseconds(1))))ms"
        try await connection.run(PostgresQuery(MigrationStatements.setTimeouts, milliseconds, isPrepared: false), until: .soon)
    }

    private func isTrue(
        _ query: NamedQuery, _ connection: PostgresConnection, until deadline: Deadline = .after(.seconds(30))
    ) async throws(PostgresError) -> Bool {
        try await connection.rows(of: PostgresQuery(query, isPrepared: false), as: Bool.self, until: deadline).first ?? false
    }

    private func recorded(_ connection: PostgresConnection, until deadline: Deadline) async throws(PostgresError) -> [RecordedMigration] {
        let query = PostgresQuery(MigrationStatements.recorded, isPrepared: false)
        return try await connection.rows(
            of: query, as: Int.self, String.self, Bytes.self, Timestamp.self, Int.self, Bool.self, until: deadline
        ).map { number, name, checksum, appliedAt, took, breaksOlderPrograms in
            RecordedMigration(
                id: MigrationID(number: number, name: name), checksum: MigrationChecksum(checksum.bytes), appliedAt: appliedAt,
                took: .microseconds(took), breaksOlderPrograms: breaksOlderPrograms)
        }
    }
}

extension Deadline {
    /// The deadline for statements that wait for no other session.
    fileprivate static var soon: Deadline { .after(.seconds(30)) }
}

/// The statements that a migration run sends in addition to the migrations.
///
/// They run in this order on one connection, which must not be replaced while the lock is held:
///
/// 1. `setTimeouts` with the timeout for another run, then `tryLock`. If another session holds the lock, `lock`.
/// 2. `setTimeouts` with the lock timeout for tables.
/// 3. `createBookkeeping` in a transaction unless `hasBookkeeping`, `completeBookkeeping` unless
///   `isBookkeepingComplete`.
/// 4. `recorded`, from which the plan is made.
/// 5. Each migration in its own transaction, between `setSearchPath` and `record`. A dry run has one transaction, and runs
///   `checkDeferred` after each migration.
/// 6. `unlock`.
///
/// A status check needs only `hasBookkeeping` and `recorded`.
package enum MigrationStatements {
    /// A query that returns one Boolean.
    package static let tryLock = NamedQuery("migrations.try_lock")
    package static let lock = NamedQuery("migrations.lock")
    package static let unlock = NamedQuery("migrations.unlock")
    /// `$1`: the lock timeout as a text such as `5s`.
    package static let setTimeouts = NamedQuery("migrations.set_timeouts")
    /// A query that returns one Boolean.
    package static let hasBookkeeping = NamedQuery("migrations.has_bookkeeping")
    package static let createBookkeeping: [NamedQuery] = [
        NamedQuery("migrations.create_bookkeeping_schema"), NamedQuery("migrations.create_bookkeeping"),
    ]
    /// A query that returns one Boolean: whether the table has every column.
    package static let isBookkeepingComplete = NamedQuery("migrations.is_bookkeeping_complete")
    package static let completeBookkeeping = NamedQuery("migrations.complete_bookkeeping")
    /// A query that returns rows of number (int4), name (text), checksum (bytea), time (timestamptz), microseconds
    /// (int8) and a Boolean.
    package static let recorded = NamedQuery("migrations.recorded")
    package static let setSearchPath = NamedQuery("migrations.set_search_path")
    package static let checkDeferred = NamedQuery("migrations.check_deferred")
    /// `$1`: number (int4), `$2`: name (text), `$3`: checksum (bytea), `$4`: whether it breaks older programs (bool).
    package static let record = NamedQuery("migrations.record")
}
