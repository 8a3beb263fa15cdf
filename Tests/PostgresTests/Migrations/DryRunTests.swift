import EventLoop
import Glibc
import Postgres
import SQLFiles
import TestDatabase
import TestSupport
import Testing

@Suite("A dry run of migrations", .databaseForEachTest(.empty), .onOwnThread)
struct DryRunTests {
    @Test("A dry run shows each migration what the ones before it made, and leaves the database as it was", arguments: [0, 2])
    func undone(count: Int) async throws {
        try await withConnection { connection in
            if count > 0 { try await Warehouse.runner(Array(Warehouse.files.prefix(count))).migrate(connection) }
            let before = try Warehouse.contents(of: .current)
            var progress: [String] = []
            var items: [String: Int] = [:]
            try await Warehouse.runner().dryRun(connection) {
                progress.append("\($0)")
            } inspect: { id, stage, connection in
                let counts = PostgresQuery("count", "SELECT count(*) FROM vitrine.items", isPrepared: false)
                guard id.number > 1, stage == .after else { return }
                items[id.name] = try await connection.rows(of: counts, as: Int.self, until: .soon).first
            }
            let names = Warehouse.files.dropFirst(count).map { String($0.name.dropLast(4)) }
            #expect(progress.count == 2 * names.count)
            for (index, name) in names.enumerated() {
                #expect(progress[2 * index] == "[\(index + 1)/\(names.count)] \(name) …")
                #expect(progress[2 * index + 1].hasPrefix("[\(index + 1)/\(names.count)] \(name)  "))
            }
            #expect(items["drop_indices"] == 201 && items["create_orders"] == 200)
            #expect(try Warehouse.contents(of: .current) == before)
            #expect(connection.isUsable)
            // The lock of the run is free again.
            try await withConnection { other in try await Warehouse.runner().migrate(other) }
        }
    }

    private static let deferredKey = """
        ALTER TABLE orders DROP CONSTRAINT orders_item_fkey,
            ADD CONSTRAINT late FOREIGN KEY (item) REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED
        """

    @Test("A dry run reports the migration that fails, also by a constraint that a commit checks, and undoes the ones before it")
    func failing() async throws {
        let files =
            Warehouse.files + [
                Site.file("0006_add_key.sql", Self.deferredKey),
                Site.file("0007_add_order.sql", "INSERT INTO orders (item) VALUES (999)"),
                Site.file("0008_drop_orders.sql", "DROP TABLE orders"),
            ]
        try await withConnection { connection in
            let before = try Warehouse.contents(of: .current)
            var progress: [String] = []
            let error = try await MigrationRunnerTests.failure {
                try await Warehouse.runner(files).dryRun(connection) { progress.append("\($0)") }
            }
            #expect(error?.cause?.sqlState == .foreignKeyViolation)
            #expect(error.map { "\($0)" }?.hasPrefix("0007_add_order.sql") == true)
            #expect(progress.last == "[7/8] 0007_add_order failed and was rolled back")
            #expect(try Warehouse.contents(of: .current) == before)
        }
    }

    @Test("A deferred constraint holds at the end of each migration, not before, as without a dry run")
    func deferred() async throws {
        let files =
            Warehouse.files.dropLast() + [
                Site.file("0005_add_key.sql", Self.deferredKey),
                Site.file(
                    "0006_add_order.sql",
                    "INSERT INTO orders (item) VALUES (500); INSERT INTO items (id, name) VALUES (500, 'late')"),
                // Fails if triggers of rows are pending.
                Site.file("0007_add_notes.sql", "ALTER TABLE orders ADD note text"),
            ]
        try await withConnection { connection in
            let before = try Warehouse.contents(of: .current)
            try await Warehouse.runner(Array(files)).dryRun(connection)
            #expect(try Warehouse.contents(of: .current) == before)
        }
        try await withConnection { connection in try await Warehouse.runner(Array(files)).migrate(connection) }
    }

    @Test("A dry run of a database with another history is refused")
    func refused() async throws {
        try await withConnection { connection in
            try await Warehouse.runner().migrate(connection)
            let before = try Warehouse.contents(of: .current)
            let other = Site.file("0002_create_items.sql", "CREATE TABLE items ()")
            let error = try await MigrationRunnerTests.failure {
                try await Warehouse.runner([Warehouse.files[0], other]).dryRun(connection)
            }
            guard case .refused = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try Warehouse.contents(of: .current) == before)
        }
    }

    @Test("A dry run that is killed or canceled at a random time leaves the database as it was")
    func interrupted() async throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        try await withConnection { connection in try await Warehouse.runner(Array(Warehouse.files.prefix(1))).migrate(connection) }
        let before = try Warehouse.contents(of: .current)
        let configuration = try ScratchDatabase.current.configuration
        for round in 0..<6 {
            let pause = Duration.milliseconds(Int.random(in: 0...120, using: &random))
            try await withLoop { loop in
                let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
                let run = Task(executorPreference: loop) {
                    try await MigrationRunnerTests.failure { try await Warehouse.runner().dryRun(connection) }
                }
                try await loop.sleep(until: .after(pause))
                switch round % 3 {
                case 0: connection.close()
                case 1: _ = kill(connection.serverProcess, SIGTERM)
                default: run.cancel()
                }
                let error = try await run.value
                if let error, case .refused = error { throw error }
                if !connection.isClosed { connection.close() }
            }
            // It waits for the session of the dry run, which has the lock until its end.
            try await withConnection { connection in try await Warehouse.runner(Array(Warehouse.files.prefix(1))).migrate(connection) }
            #expect(try Warehouse.contents(of: .current) == before, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "A migration adds a value to an enum if a statement of it does, and not a comment, a text or a function",
        arguments: [
            ("ALTER TYPE kind ADD VALUE 'list'", true),
            ("SELECT 1; alter type vitrine.kind\n  add value if not exists 'list' after 'x';", true),
            ("-- ALTER TYPE kind ADD VALUE 'list'\nSELECT 1", false), ("SELECT 'ALTER TYPE kind ADD VALUE'", false),
            ("CREATE TYPE kind AS ENUM ('list')", false), ("ALTER TYPE kind ADD ATTRIBUTE value text", false),
            ("ALTER TYPE kind RENAME VALUE 'a' TO 'b'; ALTER TABLE t ADD value text", false),
        ])
    func enums(sql: String, adds: Bool) async throws {
        let set = try Site.set([Site.file("0001_add_value.sql", sql), Site.file("0002_use_value.sql", "SELECT 1")])
        #expect((MigrationStatus(set, recorded: []).pendingEnumValue != nil) == adds)
        // The last migration has no later one that could use the value.
        #expect(MigrationStatus(try Site.set([Site.file("0001_add_value.sql", sql)]), recorded: []).pendingEnumValue == nil)
    }

    @Test("All migrations of this program after the last one that adds a value to an enum can be tried in one transaction")
    func product() async throws {
        let set = try Site.set(SQLFiles.migrations)
        let count = (set.migrations.lastIndex(where: \.addsEnumValue) ?? -1) + 1
        try await withConnection { connection in
            try await Warehouse.runner(Array(SQLFiles.migrations.prefix(count))).migrate(connection)
            // A sequence also counts the rows of a transaction that is rolled back.
            func contents() throws -> [Substring] { try Warehouse.contents(of: .current).filter { !$0.contains("pg_catalog.setval(") } }
            let before = try contents()
            try await Warehouse.runner(SQLFiles.migrations).dryRun(connection)
            #expect(try contents() == before)
        }
    }
}
