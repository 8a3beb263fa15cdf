internal import Arguments
internal import EventLoop
import Host
import Postgres

/// A temporary copy of a database. A second process drops it when this one ends, even if this one is killed.
struct DatabaseCopy {
    /// The database of the sessions that create and drop copies.
    private static let maintenance = "postgres"
    private static let prefix = "vitrine_dry_run_"
    /// The number of attempts to copy a database that only workers of the server use. The server waits five seconds in each.
    private static let maxAttempts = 6

    let console: Console
    /// The session of the copied database, which must not be open.
    let session: DatabaseSession
    /// The name of the copied database.
    let database: String
    /// The reason why a copy is necessary, for errors.
    let reason: String

    /// Creates the copy, runs a body on it, and drops it.
    func run<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) async throws -> Value) throws -> Value {
        let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 16)
        let pipe = try Pipe()
        // Started before the copy exists, so that no copy is without it.
        var dropper = try start(dropperOf: name, input: pipe.reading)
        let result = Result { try work(name, body) }
        // The dropper reads the end of the pipe. The system also closes it when this process ends.
        _ = pipe.readingEnd()
        if try !dropper.wait().isSuccess {
            console.printStatus("warning: the copy '\(name)' may remain\nhint: drop it with 'DROP DATABASE IF EXISTS \(name)'\n")
        }
        return try result.get()
    }

    private func work<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (PostgresConnection) async throws -> Value
    ) throws -> Value {
        let copied = configuration(database: name, as: name)
        let main = DatabaseSession(session, configuration: configuration(database: Self.maintenance, as: name))
        return try main.run { [self] connection in
            let leftovers = PostgresQuery(NamedQuery("migrations.leftover_copies"), isPrepared: false)
            for leftover in try await connection.rows(of: leftovers, as: String.self, until: .never) {
                try await Self.drop(leftover, connection)
            }
            try await create(name, connection)
            let copy = try await PostgresConnection.connect(copied, on: connection.loop, until: .after(copied.connectTimeout * 4))
            defer { copy.close() }
            return try await body(copy)
        }
    }

    private func configuration(database: String, as name: String) -> PostgresConfiguration {
        var configuration = session.configuration
        configuration.database = database
        configuration.applicationName = name
        // A copy of a large database takes long.
        configuration.statementTimeout = .seconds(86_400)
        return configuration
    }

    private func create(_ name: String, _ connection: PostgresConnection) async throws {
        let query = PostgresQuery(NamedQuery("migrations.create_copy"), name, database, isPrepared: false)
        for attempt in 1... {
            do {
                return try await Self.run(query, connection)
            } catch let error as PostgresError where error.sqlState?.rawValue == "42501" {
                throw DatabaseFailure(
                    message: "the database cannot be copied: \(error.message)",
                    advice: """
                        use a superuser, or the owner of the database after 'ALTER ROLE … CREATEDB'
                        or restore a backup on another server, and run the command there
                        """,
                    exitCode: .notAllowed, details: [reason])
            } catch let error as PostgresError where error.sqlState?.rawValue == "55006" {
                let sessions = PostgresQuery(NamedQuery("migrations.other_sessions"), database, isPrepared: false)
                let programs = try await connection.rows(of: sessions, as: String.self, Int.self, until: .after(.seconds(30)))
                    .map { "\($0) (\($1))" }.joined(separator: ", ")
                // Without a program, it was an autovacuum worker, which another one can follow, or a session that has ended.
                if programs.isEmpty, attempt < Self.maxAttempts { continue }
                throw DatabaseFailure(
                    message: "the database cannot be copied while other sessions use it\(programs.isEmpty ? "" : ": \(programs)")",
                    advice: "stop these programs, or restore a backup into another database and run the command there",
                    exitCode: .conflict, details: [reason])
            }
        }
    }

    /// Runs the statement that a query returns.
    private static func run(_ query: PostgresQuery, _ connection: PostgresConnection) async throws {
        for statement in try await connection.rows(of: query, as: String.self, until: .after(.seconds(30))) {
            try await connection.run(PostgresQuery(query.name, statement, isPrepared: false), until: .never)
        }
    }

    private static func drop(_ name: String, _ connection: PostgresConnection) async throws {
        try await run(PostgresQuery(NamedQuery("migrations.drop_copy"), name, isPrepared: false), connection)
    }
}

extension DatabaseCopy {
    /// The name of the copy that a process waits to drop.
    static let dropped = Option("drop-copy", .text.named("NAME"), "Drop this copy at the end of standard input.").hidden

    private func start(dropperOf name: String, input: borrowing Descriptor) throws -> ChildProcess {
        var environment = console.environment
        environment["VITRINE_DATABASE_URL_FILE"] = nil
        environment["VITRINE_DATABASE_URL"] = session.url.exposed
        let program = ProcessLaunch(
            try Path.resolved("/proc/self/exe"), ["db", "migrate", "--drop-copy", name], environment: environment, isDetached: true)
        return try program.start(input: input, output: try Descriptor(opening: "/dev/null", .readAndWrite))
    }

    /// Waits for the end of standard input, then ends the sessions of a copy and drops it.
    static func drop(_ name: String, _ session: DatabaseSession) throws -> ExitCode {
        guard name.hasPrefix(prefix) else {
            throw DatabaseFailure(message: "'\(name)' is not a copy", advice: "copies start with '\(prefix)'", exitCode: .invalid)
        }
        _ = try Descriptor(sharing: .input).readAll(limit: 1_024, subject: "standard input")
        var configuration = session.configuration
        configuration.database = maintenance
        configuration.statementTimeout = .seconds(600)
        try DatabaseSession(session, configuration: configuration).run { connection in
            let sessions = PostgresQuery(NamedQuery("migrations.end_sessions"), name, isPrepared: false)
            try await connection.run(sessions, until: .never)
            try await drop(name, connection)
        }
        return .ok
    }
}

extension DatabaseSession {
    fileprivate init(_ other: DatabaseSession, configuration: PostgresConfiguration) {
        self = other
        self.configuration = configuration
    }
}
