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
        "Grant the privileges of a server to this role. It cannot change the audit log.")

    private var migrate: Command {
        Command(
            "migrate", "Apply the pending migrations",
            discussion: """
                Each migration runs in its own transaction. Another program that migrates the same database waits. The command can be interrupted \
                at any time and run again. A database with unknown or changed migrations is rejected and stays unchanged.

                With --grant, the command also grants the privileges of a server to a role, even if no migration is pending. Run it as the owner of \
                the tables, and connect servers as the role.
                """,
            examples: [
                Example("vitrine db migrate", "Apply the pending migrations."),
                Example("vitrine db migrate --lock-timeout 30s", "Wait longer for a locked table."),
                Example("vitrine db migrate --grant vitrine_server", "Also grant the privileges of a server to a role."),
            ],
            options: [Self.lockTimeout, Self.grant], groups: [Settings.databaseGroup]
        ) { invocation in
            Signal.holdStopping()
            var runner = try MigrationRunner.product()
            runner.lockTimeout = invocation[Self.lockTimeout]
            var session = try session(invocation)
            session.interrupts = Signal.stopping
            // The server needs some time for the rollback.
            session.configuration.cancelGrace = .seconds(5)
            let role = invocation[Self.grant].map { ServerRole($0) }
            try session.run { [runner] connection in
                try await runner.migrate(connection) { console.report($0) }
                try await role?.grantRights(connection)
            }
            if let role { try console.print("Granted the privileges of a server to '\(role.name.printable())'.\n") }
            return .ok
        }
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
                "Exits with 0 if the schema is current, with 1 if migrations are pending, and with 4 if the migrations of the database conflict.",
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
