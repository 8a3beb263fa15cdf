internal import Arguments
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import Server
internal import Settings
internal import Values

/// `vitrine db migrate`, `status` and `check`: the migrations between the database's schema and the one that this
/// program needs.
struct MigrationCommands {
    let console: Console

    var all: [Command] { [migrate, status, check] }

    private static let lockTimeout = Option(
        "lock-timeout", .duration(in: .milliseconds(10)...(.seconds(3_600))), default: .seconds(5),
        "The time that a migration waits for a locked table.")

    private static let grant = Option(
        "grant", .text.named("ROLE"),
        "Grant the privileges of a server to this role. The role cannot change the audit log.")

    private static let dryRun = Option(
        flag: "dry-run", "Try the migrations, report their effects, and undo them.")

    private var migrate: Command {
        Command(
            "migrate", "Apply the pending migrations",
            discussion: """
                Each migration runs in its own transaction. Another program that migrates the same database waits. The command can be \
                interrupted at any time and run again. A database with unknown or changed migrations is rejected and stays unchanged.

                With --dry-run, all migrations run in one transaction, which is rolled back. For each migration, the command reports the \
                number of rows that change, and the publication orders, images, platforms, age ratings and experiments that are created. \
                It also reports warnings. Nothing remains, even if the command is killed. The transaction holds the locks of all \
                migrations until its end, and servers wait for them. If the database is in use, restore a backup into another database, \
                and run the command there. If a migration adds a value to an enum, the migrations run in a temporary copy of the \
                database instead. This needs the privilege to create databases, and fails if another session uses the database.

                With --grant, the command also grants the privileges of a server to a role, even if no migration is pending. Run it as the \
                owner of the tables, and connect servers as the role.
                """,
            examples: [
                Example("vitrine db migrate", "Apply the pending migrations."),
                Example("vitrine db migrate --dry-run", "Report the effects of the pending migrations."),
                Example("vitrine db migrate --lock-timeout 30s", "Wait longer for a locked table."),
                Example("vitrine db migrate --grant vitrine_server", "Also grant the privileges of a server to a role."),
            ],
            options: [Self.dryRun, Self.lockTimeout, Self.grant, OutputFormat.option, DatabaseCopy.dropped],
            groups: [Settings.databaseGroup]
        ) { invocation in
            if let copy = invocation[DatabaseCopy.dropped] { return try DatabaseCopy.drop(copy, try session(invocation)) }
            Signal.holdStopping()
            var runner = try MigrationRunner.product()
            runner.lockTimeout = invocation[Self.lockTimeout]
            var session = try session(invocation)
            session.interrupts = Signal.stopping
            // The server needs some time for the rollback.
            session.configuration.cancelGrace = .seconds(5)
            if invocation[Self.dryRun] {
                guard invocation[Self.grant] == nil else {
                    throw invocation.usageError("option '--grant' cannot be combined with '--dry-run'")
                }
                try print(try MigrationTrial(console: console, runner: runner, session: session).report(), invocation)
                console.printStatus(Console.noChanges)
                return .ok
            }
            let role = invocation[Self.grant].map { ServerRole($0) }
            let report = try session.run { [runner] connection in
                let report = try await runner.migrate(connection, reportingTo: console)
                try await role?.grantRights(connection)
                return report
            }
            if invocation[OutputFormat.option] == .json { try print(report, invocation) } else { console.printStatus(report.warnings) }
            if let role {
                let text = "Granted the privileges of a server to '\(role.name.printable())'.\n"
                if invocation[OutputFormat.option] == .json { console.printStatus(text) } else { try console.print(text) }
            }
            return .ok
        }
    }

    private func print(_ report: MigrationReport, _ invocation: Invocation) throws {
        switch invocation[OutputFormat.option] {
        case .table: try console.print(report.text)
        case .json: try console.printJSON(report)
        }
        console.printStatus(report.warnings)
    }

    private var status: Command {
        Command(
            "status", "Show the migrations of the database",
            discussion: "The command changes nothing. It does not even create the table of migrations.",
            examples: [
                Example("vitrine db status", "Show all migrations."),
                Example("vitrine db status -o json", "Print the migrations as JSON."),
            ],
            options: [OutputFormat.option], groups: [Settings.databaseGroup]
        ) { invocation in
            let status = try inspect(invocation)
            switch invocation[OutputFormat.option] {
            case .table: try console.print(status.table(width: StandardStream.output.width))
            case .json: try StandardStream.output.write(status.json(.pretty) + [UInt8(ascii: "\n")])
            }
            if let error = status.error { console.printStatus("\(error)\n") }
            return .ok
        }
    }

    private var check: Command {
        Command(
            "check", "Check that the schema is current",
            discussion:
                """
                Exits with 0 if the schema is current, and with 1 if migrations are pending. If the migrations of the database conflict \
                with those of the program, the command exits with 4.
                """,
            examples: [Example("vitrine db check && vitrine dev", "Start a server only if the schema is current.")],
            groups: [Settings.databaseGroup]
        ) { invocation in
            let status = try inspect(invocation)
            let plan: [Migration]
            do throws(MigrationConflict) { plan = try status.plan() } catch { throw DatabaseFailure(error) }
            guard let first = plan.first else {
                try console.print("The schema is current.\n")
                return .ok
            }
            let count = plan.count == 1 ? "1 migration is pending" : "\(plan.count) migrations are pending"
            console.printError("\(count), starting with \(first.id)", advice: "run '\(console.program) db migrate'")
            return .failed
        }
    }

    private func inspect(_ invocation: Invocation) throws -> MigrationStatus {
        let runner = try MigrationRunner.product()
        var session = try session(invocation)
        session.configuration.needsWritableServer = false
        return try session.run { connection in try await runner.status(connection) }
    }

    private func session(_ invocation: Invocation) throws -> DatabaseSession {
        let loaded = try LoadedSettings(invocation, console: console)
        return DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
    }
}

/// The role that servers connect as. It has the rights that a server needs and owns nothing.
struct ServerRole: Sendable {
    let name: String
    private static let role = NamedQuery("roles.role")
    private static let choose = NamedQuery("roles.choose")
    private static let grant = NamedQuery("roles.grant")

    init(_ name: String) { self.name = name }

    /// Grants the rights in a transaction. Revokes rights that the role had before and does not need.
    func grantRights(_ connection: PostgresConnection) async throws {
        let query = PostgresQuery(Self.role, name, isPrepared: false)
        let found = try await connection.rows(of: query, as: Bool.self, Bool.self, until: .after(.seconds(30))).first
        guard let (isSuperuser, isOwner) = found else {
            throw DatabaseFailure(
                message: "the role '\(name)' does not exist", advice: "create it with CREATE ROLE … LOGIN PASSWORD '…'", exitCode: .notFound
            )
        }
        guard !isSuperuser, !isOwner else {
            throw DatabaseFailure(
                message: "the role '\(name)' \(isSuperuser ? "is a superuser" : "owns the tables"), so privileges cannot restrict it",
                advice: "create a role that is neither a superuser nor a member of the owner", exitCode: .invalid)
        }
        try await connection.transaction(until: .after(.seconds(60))) { connection in
            try await connection.run(PostgresQuery(Self.choose, name, isPrepared: false), until: .after(.seconds(30)))
            try await connection.run(PostgresQuery(Self.grant, isPrepared: false), until: .after(.seconds(30)))
        }
    }
}
