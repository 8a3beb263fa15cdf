internal import Commands
internal import Curating
internal import EventLoop
internal import Postgres
internal import SQLFiles
internal import Security

/// The tokens of a database for the length of a command, in one transaction.
struct TokenSession {
    let console: Console

    func run<Answer: Sendable>(
        _ invocation: Invocation, _ body: @escaping @Sendable (TokenStore, AuditStore) async throws -> Answer
    ) throws -> Answer {
        let loaded = try LoadedSettings(invocation, console: console)
        var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
        session.configuration.needsWritableServer = true
        do {
            return try session.run { connection in
                let queries = try CuratingQueries(QueryLibrary(SQLFiles.queries))
                do {
                    return try await connection.transaction(until: .never) { connection in
                        let asking = { (asked: [PostgresQuery]) async throws(PostgresError) in
                            try await connection.run(asked, until: .never)
                        }
                        return try await body(
                            TokenStore(queries, hashedBy: Digest.sha256, run: asking), AuditStore(queries, run: asking))
                    }
                } catch let error as CuratingError where error.code == .database {
                    throw error.underlying
                }
            }
        } catch let error as CuratingError {
            throw DatabaseFailure(message: error.message, advice: error.help, exitCode: error.code == .nameTaken ? .conflict : .invalid)
        }
    }
}
