import EventLoop
import Host
import Postgres
import SQLFiles
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("The runner of migrations", .databaseForEachTest(.empty), .onOwnThread)
struct MigrationRunnerTests {
    private static let names = Warehouse.files.map { $0.name.dropLast(4) }

    @Test("The runner migrates an empty database to the newest schema, reports each migration, and then has nothing to do")
    func fresh() async throws {
        try await withConnection { connection in
            let runner = try Warehouse.runner()
            var lines: [String] = []
            try await runner.migrate(connection) { lines.append("\($0)") }
            #expect(lines.count == 2 * Self.names.count + 1)
            for (index, name) in Self.names.enumerated() {
                #expect(lines[2 * index] == "[\(index + 1)/5] \(name) …")
                #expect(lines[2 * index + 1].hasPrefix("[\(index + 1)/5] \(name)  "))
            }
            #expect(lines.last == "5 migrations applied; the schema is at 0005_drop_indices")
            #expect(connection.isUsable)

            let status = try await runner.status(connection)
            #expect(status.isCurrent)
            // The second migration sleeps for 20 ms.
            let recorded = try #require(status.rows[1].recorded)
            #expect(recorded.took >= .milliseconds(20) && recorded.took < .seconds(60))
            #expect(abs(recorded.appliedAt.microseconds - Int64(SystemInfo.wallClock)) < 60_000_000)

            let before = try Warehouse.contents(of: .current)
            lines = []
            try await runner.migrate(connection) { lines.append("\($0)") }
            #expect(lines == ["no pending migrations; the schema is at 0005_drop_indices"])
            #expect(try Warehouse.contents(of: .current) == before)
        }
    }

    @Test("The runner applies the migrations of this program")
    func product() async throws {
        try await withConnection { connection in
            let runner = try Warehouse.runner(SQLFiles.migrations)
            try await runner.migrate(connection)
            let status = try await runner.status(connection)
            #expect(status.isCurrent)
        }
    }

    @Test("The runner accepts the records of an older program, and refuses that program if a newer migration breaks it")
    func compatibility() async throws {
        try await withConnection { connection in
            let older = try Warehouse.runner(Array(Warehouse.files.prefix(3)))
            try await older.migrate(connection)
            // The records of a program that did not have the column.
            try await connection.runScript(
                "older.sql", "ALTER TABLE vitrine_meta.migrations DROP COLUMN breaks_older_programs", until: .soon)
            #expect(try await older.status(connection).isCurrent)

            try await Warehouse.runner().migrate(connection)
            let status = try await older.status(connection)
            #expect(status.isCurrent && status.error == nil && status.rows.map(\.state).suffix(2) == [.newer, .newer])
            try await older.migrate(connection)

            try await Warehouse.runner(Warehouse.files + [Site.file("0006_rename_items.sql", Site.breaking)]).migrate(connection)
            let broken = try await older.status(connection)
            #expect(!broken.isCurrent)
            #expect(
                broken.error?.reasons == [
                    "the database has 0006_rename_items, which breaks older programs; the newest migration of this program is 0003_add_prices"
                ])
            await #expect(throws: MigrationError.self) { try await older.migrate(connection) }
        }
    }

    @Test("The status of an empty database creates nothing")
    func looking() async throws {
        try await withConnection { connection in
            let before = try Warehouse.contents(of: .current)
            let status = try await Warehouse.runner().status(connection)
            #expect(status.rows.map(\.state) == Array(repeating: .pending, count: 5))
            #expect(try Warehouse.contents(of: .current) == before)
        }
    }

    @Test("Three runs at the same time apply each migration once")
    func twiceAtOnce() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withLoop { loop in
            let applied = try await withThrowingTaskGroup(of: [MigrationProgress].self) { group in
                for _ in 0..<3 {
                    group.addTask(executorPreference: loop) {
                        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
                        defer { connection.close() }
                        var progress: [MigrationProgress] = []
                        try await Warehouse.runner().migrate(connection) { progress.append($0) }
                        return progress
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.count { if case .applied = $0 { true } else { false } } == 5)
            #expect(applied.count { if case .finished = $0 { true } else { false } } == 3)
        }
        try await withConnection(configuration) { connection in
            let status = try await Warehouse.runner().status(connection)
            #expect(status.isCurrent)
        }
    }

    @Test("A run waits for another run, but not forever")
    func busy() async throws {
        try await withTwoConnections { holder, connection in
            let lock = MigrationStatements.lock
            try await holder.run(PostgresQuery(lock), until: .soon)
            var runner = try Warehouse.runner()
            runner.timeout = .milliseconds(50)
            var progress: [MigrationProgress] = []
            let error = try await Self.failure { try await runner.migrate(connection) { progress.append($0) } }
            #expect(error.map { "\($0)" } == "timed out waiting for another program that is migrating this database")
            #expect(progress == [.waitingForAnother])
            #expect(connection.isUsable)
            holder.close()
            runner.timeout = .seconds(20)
            try await runner.migrate(connection)
        }
    }

    @Test("A run fails soon if a table is in use, and keeps the migrations before it")
    func tableInUse() async throws {
        try await withTwoConnections { holder, connection in
            try await Warehouse.runner(Array(Warehouse.files.prefix(2))).migrate(connection)
            let before = try Warehouse.contents(of: .current)
            try await holder.runScript("hold", "BEGIN; SELECT id FROM vitrine.items LIMIT 1", until: .soon)
            var runner = try Warehouse.runner()
            runner.lockTimeout = .milliseconds(50)
            let error = try await Self.failure { try await runner.migrate(connection) }
            #expect(error?.cause?.sqlState == .lockNotAvailable)
            #expect(error.map { "\($0)" }?.hasPrefix("0003_add_prices.sql:1: ") == true)
            holder.close()
            #expect(try Warehouse.contents(of: .current) == before)
            runner.lockTimeout = .seconds(20)
            try await runner.migrate(connection)
        }
    }

    @Test("A migration that loses a deadlock with another session is tried again")
    func deadlock() async throws {
        try await withTwoConnections { holder, connection in
            let files = Array(Warehouse.files.prefix(2))
            try await Warehouse.runner(files).migrate(connection)
            try await holder.runScript("tables", "CREATE TABLE vitrine.first (); CREATE TABLE vitrine.second ()", until: .soon)
            try await holder.runScript("hold", "SET deadlock_timeout = '60s'; BEGIN; LOCK TABLE vitrine.second", until: .soon)
            let locks = "SET LOCAL deadlock_timeout = '2s'; LOCK TABLE first; LOCK TABLE second; CREATE TABLE third ();"
            var runner = try Warehouse.runner(files + [Site.file("0003_lock_tables.sql", locks)])
            runner.lockTimeout = .seconds(20)
            let task = Task(executorPreference: connection.loop) { [runner] in
                var progress: [MigrationProgress] = []
                var attempts = 0
                try await runner.migrate(connection) {
                    progress.append($0)
                } inspect: { _, stage, _ in
                    if stage == .before { attempts += 1 }
                }
                return (attempts, progress.count)
            }
            let waits = PostgresQuery("waits", LockWaits.sql, isPrepared: false)
            let limit = Deadline.soon
            while try await holder.rows(of: waits, as: String.self, until: .soon).isEmpty { try #require(Deadline.now < limit) }
            // Now each of the two waits for the other. The session with the shorter timeout notices it.
            try await holder.runScript("go on", "LOCK TABLE vitrine.first; COMMIT", until: .soon)
            let (attempts, events) = try await task.value
            #expect(attempts == 2 && events == 3)
            let status = try await runner.status(connection)
            #expect(status.isCurrent)
        }
    }

    @Test(
        "A failing migration is rolled back and reported with file, line and SQLSTATE, and earlier ones are kept",
        arguments: [
            ("CREATE TABLE more ();\nALTER TABLE\n  nothing ADD n bigint;", "0003_break_things.sql:2: ", "(SQLSTATE 42P01)"),
            ("CREATE TABLE more ();\nSELECT n\nFROM more;", "0003_break_things.sql:2: ", "(SQLSTATE 42703)"),
            (
                "CREATE TABLE more (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED);\nINSERT INTO more VALUES (1), (1);",
                "0003_break_things.sql: ", "(SQLSTATE 23505)"
            ),
            ("CREATE TABLE more (); COPY more FROM STDIN;", "0003_break_things.sql: ", "COPY"),
            ("CREATE TABLE more (); SELECT pg_terminate_backend(pg_backend_pid());", "0003_break_things.sql:1: ", "(SQLSTATE 57P01)"),
        ])
    func failing(sql: String, location: String, reason: String) async throws {
        let files = Array(Warehouse.files.prefix(2))
        try await withConnection { connection in
            try await Warehouse.runner(files).migrate(connection)
            let before = try Warehouse.contents(of: .current)
            var progress: [MigrationProgress] = []
            let runner = try Warehouse.runner(files + [Site.file("0003_break_things.sql", sql)])
            let error = try await Self.failure { try await runner.migrate(connection) { progress.append($0) } }
            let text = "\(try #require(error))"
            #expect(text.hasPrefix(location) && text.contains(reason), "\(text)")
            #expect(progress.map { "\($0)" } == ["[1/1] 0003_break_things …", "[1/1] 0003_break_things failed and was rolled back"])
            #expect(try Warehouse.contents(of: .current) == before)
        }
        // The lock of the run is free again.
        try await withConnection { other in try await Warehouse.runner().migrate(other) }
    }

    @Test("A canceled run rolls back the migration in progress, and the next run completes")
    func cancelled() async throws {
        try await withConnection { connection in
            let endless = Site.file("0003_add_prices.sql", "CREATE TABLE more (); SELECT pg_sleep(60);")
            let runner = try Warehouse.runner(Array(Warehouse.files.prefix(2)) + [endless])
            let task = Task(executorPreference: connection.loop) {
                var progress: [MigrationProgress] = []
                let error = try await Self.failure {
                    try await runner.migrate(connection) { step in
                        progress.append(step)
                        if "\(step)" == "[3/3] 0003_add_prices …" { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
                return (error, progress.last)
            }
            let (error, last) = try await task.value
            #expect(error?.cause?.code == .cancelled)
            #expect("\(String(describing: last))".contains("interrupted"))
            #expect(connection.isUsable)
            try await Warehouse.runner().migrate(connection)
        }
    }

    @Test(
        "The runner refuses a database with another history and changes nothing",
        arguments: [
            (place: 2, file: Site.file("0003_add_prices.sql", "SELECT 1"), reason: "0003_add_prices was changed after it was applied"),
            (place: 2, file: Site.file("0003_add_costs.sql", "SELECT 1"), reason: "0003_add_costs is not the migration that was applied"),
        ])
    func refused(index: Int, file: Site.File, reason: String) async throws {
        try await withConnection { connection in
            try await Warehouse.runner().migrate(connection)
            let before = try Warehouse.contents(of: .current)
            var files = Warehouse.files
            files[index] = file
            files.append(Site.file("0006_add_more.sql", "CREATE TABLE more ()"))
            let runner = try Warehouse.runner(files)
            let error = try await Self.failure { try await runner.migrate(connection) }
            #expect(error.map { "\($0)" }?.hasPrefix(reason) == true)
            #expect(try Warehouse.contents(of: .current) == before)
        }
    }

    private func withTwoConnections(
        _ body: @escaping @Sendable (PostgresConnection, PostgresConnection) async throws -> Void
    ) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withConnection(configuration) { first in
            let second = try await PostgresConnection.connect(configuration, on: first.loop, until: .soon)
            defer { second.close() }
            try await body(first, second)
        }
    }

    /// Returns the error of a run, or nil if it succeeded.
    static func failure(of run: () async throws -> Void) async throws -> MigrationError? {
        do {
            try await run()
            return nil
        } catch let error as MigrationError {
            return error
        }
    }
}
