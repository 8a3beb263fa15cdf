import Host
import SQLFiles
import TestSupport
import Testing

/// `vitrine db migrate`, `status` and `check` in normal use and under failures.
@Suite(.serialized, .onOwnThread) struct MigrateTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private func start(_ name: String, _ variables: [String: String], _ options: [String] = []) throws -> ChildProcess {
        try vitrine.start(["db", "migrate"] + options, variables, output: "\(vitrine.folder)/\(name)")
    }

    private func errors(_ name: String) throws -> String { try vitrine.text("\(vitrine.folder)/\(name).errors") }

    @Test("A new database is pending, is migrated with a line per step, and then is current")
    func lifecycle() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try dev.create("fresh")
            let before = try dev.dump("fresh")
            let pending = try vitrine.run(["db", "status"], variables: variables)
            #expect(pending.status == .code(0))
            let names = SQLFiles.migrations.map { $0.name.dropLast(".sql".count) }
            let rows = pending.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
            #expect(rows == names.map { [$0, "pending", "-", "-"] })
            let check = try vitrine.run(["db", "check"], variables: variables)
            #expect(check.status == .code(1))
            #expect(check.errors.hasPrefix("error: \(names.count) migrations are pending, starting with 0001_create_schema\nhint: run '"))
            #expect(try dev.dump("fresh") == before)

            let migrate = try vitrine.run(["db", "migrate"], variables: variables)
            #expect(migrate.status == .code(0))
            #expect(migrate.output.isEmpty)
            let newest = try #require(names.last)
            let lines = migrate.errors.split(separator: "\n")
            #expect(
                lines.count == 2 * names.count + 1 && lines.first?.hasSuffix("1/\(names.count)] 0001_create_schema …") == true, "\(lines)")
            #expect(lines.last == "\(names.count) migrations applied; the schema is at \(newest)")
            #expect(try vitrine.run(["db", "check"], variables: variables).status == .code(0))
            let status = try vitrine.run(["db", "status", "-o", "json"], variables: variables).output
            #expect(status.contains("\"current\": true") && status.contains("\"state\": \"applied\""))
            let again = try vitrine.run(["db", "migrate"], variables: variables)
            #expect(again.errors == "no pending migrations; the schema is at \(newest)\n")
        }
    }

    @Test("Three runs at the same time apply each migration once, and all succeed")
    func atOnce() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try dev.create("contested")
            var first = try start("first", variables)
            var second = try start("second", variables)
            var third = try start("third", variables)
            #expect(try vitrine.end(of: &first) == .code(0))
            #expect(try vitrine.end(of: &second) == .code(0))
            #expect(try vitrine.end(of: &third) == .code(0))
            let lines = try ["first", "second", "third"].map(errors).joined()
            #expect(lines.split(separator: "\n").count { $0.contains("migrations applied") } == 1, "\(lines)")
            #expect(try dev.dump("contested") == (try dev.dump("vitrine")))
        }
    }

    /// Returns the number of statements of a migration that define something outside of functions.
    private static func statements(in migration: Int) -> Int {
        String(decoding: SQLFiles.migrations[migration - 1].bytes, as: UTF8.self).split(separator: "\n")
            .count { line in ["CREATE ", "ALTER "].contains(where: line.hasPrefix) }
    }

    /// Returns SQL that makes the next run wait within a migration, at the given one of its statements that define something.
    private static func pause(_ number: Int, _ statement: Int) -> String {
        """
        CREATE SEQUENCE public.paused_statements;
        CREATE FUNCTION public.pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
        DECLARE
            applied bigint := -1;
        BEGIN
            IF to_regclass('vitrine_meta.migrations') IS NOT NULL THEN
                EXECUTE 'SELECT count(*) FROM vitrine_meta.migrations' INTO applied;
            END IF;
            IF applied = \(number - 1) AND nextval('public.paused_statements') = \(statement) THEN
                PERFORM pg_advisory_xact_lock_shared(77);
            END IF;
        END
        $$;
        CREATE EVENT TRIGGER pause ON ddl_command_start EXECUTE FUNCTION public.pause();
        """
    }

    private static let resume = "DROP EVENT TRIGGER pause; DROP FUNCTION public.pause; DROP SEQUENCE public.paused_statements"

    @Test("A run that is killed within a migration, and repeated, ends in the same schema")
    func killed() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        try RunningDev.with(vitrine) { dev in
            let expected = try dev.dump("vitrine")
            let numbers = (1...SQLFiles.migrations.count).filter { Self.statements(in: $0) > 0 }
            for round in 0..<4 {
                let variables = try dev.create("killed_\(round)")
                let number = round == 0 ? 1 : try #require(numbers.randomElement(using: &random))
                let statement = Int.random(in: 1...min(2, Self.statements(in: number)), using: &random)
                try dev.send("killed_\(round)", Self.pause(number, statement))
                var holder = try vitrine.start(
                    ["db", "psql", "--", "-c", "SELECT pg_advisory_lock(77), pg_sleep(3600)"], variables,
                    output: "\(vitrine.folder)/holder-\(round)")
                try waitUntil(dev, "wait_event = 'PgSleep'")
                var child = try start("killed-\(round)", variables, ["--lock-timeout", "1m"])
                try waitUntil(dev, "application_name = 'vitrine db migrate' AND wait_event_type = 'Lock'")
                try RunningProcess.send(.kill, to: child.id)
                _ = try child.wait()
                try dev.send("vitrine", "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                _ = try vitrine.end(of: &holder)
                // The server detects the lost client when it gets the lock.
                let isConnected = "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'vitrine db migrate')"
                try waitUntil(dev, "pid = pg_backend_pid() AND NOT \(isConnected)")
                try dev.send("killed_\(round)", Self.resume)
                let again = try vitrine.run(["db", "migrate"], variables: variables)
                #expect(again.status == .code(0), "seed \(seed), round \(round): \(again.errors)")
                #expect(try dev.dump("killed_\(round)") == expected, "seed \(seed), round \(round)")
            }
        }
    }

    @Test("An interrupted run rolls back its migration and reports it, and so does a run that waits for it")
    func interrupted() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try dev.create("interrupted")
            // Until this session ends, no other one can create a schema of this name.
            var holder = try vitrine.start(
                ["db", "psql", "--", "-c", "BEGIN; CREATE SCHEMA vitrine; SELECT pg_sleep(600)"], variables,
                output: "\(vitrine.folder)/holder")
            try waitUntil(dev, "wait_event = 'PgSleep'")
            var first = try start("first", variables, ["--lock-timeout", "1m"])
            try waitUntil(dev, "application_name = 'vitrine db migrate' AND wait_event_type = 'Lock'")
            var second = try start("second", variables)
            try vitrine.wait(for: "waiting for another program", &second, "\(vitrine.folder)/second.errors")
            try RunningProcess.send(.terminate, to: second.id)
            #expect(try vitrine.end(of: &second) == .code(130))
            try RunningProcess.send(.interrupt, to: first.id)
            #expect(try vitrine.end(of: &first) == .code(130))
            let lines = try errors("first")
            #expect(lines.contains("0001_create_schema was interrupted and rolled back\nerror: interrupted\n"), "\(lines)")

            try dev.send("vitrine", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            _ = try vitrine.end(of: &holder)
            #expect(try vitrine.run(["db", "migrate", "--lock-timeout", "1m"], variables: variables).status == .code(0))
            #expect(try dev.dump("interrupted") == (try dev.dump("vitrine")))
        }
    }

    private func waitUntil(_ dev: RunningDev, _ condition: String) throws {
        let end = ContinuousClock.now + .seconds(30)
        while try dev.send("vitrine", "SELECT count(*) FROM pg_stat_activity WHERE \(condition)") == "0\n" {
            try #require(ContinuousClock.now < end, "\(condition)")
        }
    }

    @Test("A database with another history is refused with the remedy, and left unchanged")
    func refused() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try dev.create("refused")
            #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
            try dev.send("refused", "UPDATE vitrine_meta.migrations SET name = 'create_shop'")
            let before = try dev.dump("refused")
            for command in ["migrate", "check"] {
                let result = try vitrine.run(["db", command], variables: variables)
                #expect(result.status == .code(4))
                #expect(
                    result.errors.contains(
                        "0001_create_schema was applied as 0001_create_shop\n    Rename the file back to its previous name."))
            }
            let status = try vitrine.run(["db", "status"], variables: variables)
            #expect(status.status == .code(0))
            #expect(status.output.contains("renamed") && status.errors.contains("previous name"))
            #expect(try dev.dump("refused") == before)
        }
    }

    @Test("An unreachable database is reported without its password", arguments: ["migrate", "status", "check"])
    func unreachable(command: String) throws {
        let result = try vitrine.run(["db", command], variables: ["VITRINE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:9/shop"])
        #expect(result.status == .code(7))
        #expect(result.errors.contains("error: cannot reach postgresql://ada:•••@127.0.0.1:9/shop: "))
        #expect(!result.errors.contains("hunter2"))
        let stopped = try vitrine.run(["db", command])
        #expect(stopped.status == .code(7))
        #expect(stopped.errors.contains("the embedded PostgreSQL is not running") && stopped.errors.contains(" dev'\n"))
    }
}
