package import EventLoop
internal import Values

/// Brings a database to the program's schema, and tells how far it is from it.
///
/// Its lock belongs to a session, so it works on one connection, which is never replaced. Runs that are killed at any moment and started
/// again, or started twice at once, end in the same schema.
package struct MigrationRunner: Sendable {
    /// How long a migration waits for a table that others use.
    package var lockTimeout = Duration.seconds(5)
    /// How long the end of another run is waited for.
    package var timeout = Duration.seconds(600)

    private let migrations: MigrationSet

    package init(_ migrations: MigrationSet) {
        self.migrations = migrations
    }

    package var newest: MigrationID? { migrations.migrations.last?.id }

    /// Runs what is pending, each migration in a transaction of its own and for as long as it takes.
    ///
    /// Cancelling the task takes back the migration that is under way. The session keeps the timeouts of the run.
    package func migrate(
        _ connection: PostgresConnection, progress: (MigrationProgress) -> Void = { _ in }
    ) async throws(MigrationError) {
        do throws(MigrationError) {
            try await lock(connection, progress)
            let plan = try await plan(connection)
            for (index, migration) in plan.enumerated() {
                try await apply(migration, MigrationProgress.Place(index + 1, of: plan.count), connection, progress)
            }
            progress(.finished(plan.count, latest: newest))
        } catch {
            // Also where the lock did not seem to be had: a cancellation may have crossed it on its way.
            await unlock(connection)
            throw error
        }
        await unlock(connection)
    }

    /// Looks, and creates nothing.
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

    /// In a task of its own, since the one that is waited in may be cancelled.
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

    private func plan(_ connection: PostgresConnection) async throws(MigrationError) -> [Migration] {
        do throws(PostgresError) {
            try await setTimeouts(lockTimeout, connection)
            if try await !isTrue(MigrationStatements.hasBookkeeping, connection) {
                try await connection.run(MigrationStatements.createBookkeeping.map { PostgresQuery($0, isPrepared: false) }, until: .soon)
            } else if try await !isTrue(MigrationStatements.isBookkeepingComplete, connection) {
                try await connection.run(PostgresQuery(MigrationStatements.completeBookkeeping, isPrepared: false), until: .soon)
            }
        } catch {
            throw .database(error)
        }
        let status = try await status(connection)
        do throws(MigrationConflict) { return try status.plan() } catch { throw .refused(error) }
    }

    private func apply(
        _ migration: Migration, _ place: MigrationProgress.Place, _ connection: PostgresConnection,
        _ progress: (MigrationProgress) -> Void
    ) async throws(MigrationError) {
        let id = migration.id
        progress(.applying(id, place))
        let start = ContinuousClock.now
        do {
            try await connection.transaction(until: .never) { connection in
                try await connection.run(PostgresQuery(MigrationStatements.setSearchPath, isPrepared: false), until: .soon)
                try await connection.runScript("\(id).sql", migration.sql, until: .never)
                let record = PostgresQuery(
                    MigrationStatements.record, Int32(clamping: id.number), id.name, Bytes(migration.checksum.bytes),
                    migration.breaksOlderPrograms,
                    isPrepared: false)
                try await connection.run(record, until: .soon)
            }
        } catch {
            let cause = error as? PostgresError ?? PostgresError(.misuse, "\(error)")
            if cause.code == .outcomeUnknown { throw .uncertain(id, cause) }
            progress(cause.code == .cancelled ? .interrupted(id, place) : .failed(id, place))
            throw .failed(id, cause)
        }
        progress(.applied(id, place, took: ContinuousClock.now - start))
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
    /// For statements that have nobody to wait for.
    fileprivate static var soon: Deadline { .after(.seconds(30)) }
}

/// What a run of migrations says to the server besides the migrations.
///
/// On one connection, which must not be replaced by another while the lock is held: `setTimeouts` with the patience for another run, then
/// `tryLock` and, where that is held elsewhere, `lock`; `setTimeouts` with the patience for a table; `createBookkeeping` in a transaction
/// unless `hasBookkeeping`, `completeBookkeeping` unless `isBookkeepingComplete`; `recorded`, from which the plan is made. Then each migration in a transaction of its own, `setSearchPath`
/// in front of it and `record` behind it; and `unlock`. Whoever only looks asks `hasBookkeeping` and `recorded`.
package enum MigrationStatements {
    /// A row with a truth value.
    package static let tryLock = NamedQuery("migrations.try_lock")
    package static let lock = NamedQuery("migrations.lock")
    package static let unlock = NamedQuery("migrations.unlock")
    /// `$1`: the lock timeout as a text such as `5s`.
    package static let setTimeouts = NamedQuery("migrations.set_timeouts")
    /// A row with a truth value.
    package static let hasBookkeeping = NamedQuery("migrations.has_bookkeeping")
    package static let createBookkeeping: [NamedQuery] = [
        NamedQuery("migrations.create_bookkeeping_schema"), NamedQuery("migrations.create_bookkeeping"),
    ]
    /// A row with a truth value: whether the table has every column.
    package static let isBookkeepingComplete = NamedQuery("migrations.is_bookkeeping_complete")
    package static let completeBookkeeping = NamedQuery("migrations.complete_bookkeeping")
    /// Rows of number (int4), name (text), checksum (bytea), moment (timestamptz), microseconds (int8) and a truth value.
    package static let recorded = NamedQuery("migrations.recorded")
    package static let setSearchPath = NamedQuery("migrations.set_search_path")
    /// `$1`: number (int4), `$2`: name (text), `$3`: checksum (bytea), `$4`: whether it breaks older programs (bool).
    package static let record = NamedQuery("migrations.record")
}
