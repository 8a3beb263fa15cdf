internal import Access
internal import Arguments
internal import EventLoop
internal import JSON
internal import Postgres
internal import SQLFiles
internal import Security

/// The tokens of a database itself, for whoever has no token yet, or none any more. Each call is one transaction, with its row in the audit.
struct DatabaseTokens: TokenBackend {
    let console: Console
    let invocation: Invocation

    func create(_ wish: TokenOptions) throws -> IssuedToken? {
        let token = AccessToken.new()
        let record = try run { tokens, audit in
            let record = try await tokens.create(token, name: wish.name, scope: wish.scope, lifetime: wish.lifetime)
            try await audit.record(
                AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: try record.json()), by: nil, request: nil)
            return record
        }
        return IssuedToken(token: try TokenRow(record), secret: token.secret)
    }

    func tokens(withRevoked: Bool) throws -> [TokenRow]? {
        try run { tokens, _ in try await tokens.tokens(withRevoked: withRevoked).map { try TokenRow($0) } }
    }

    func revoke(_ word: String) throws -> TokenRow? {
        try run { tokens, audit in
            let found = try await tokens.tokens(called: word)
            let one = try Self.one(of: found.map { try TokenRow($0) })
            guard let before = found.first, let after = try await tokens.revoke(before.id) else { return one }
            try await audit.record(
                AuditedChange(.revokeToken, of: "tokens/\(after.id)", from: try before.json(), to: try after.json()), by: nil, request: nil)
            return try TokenRow(after)
        }
    }

    private func run<Answer: Sendable>(_ body: @escaping @Sendable (TokenStore, AuditStore) async throws -> Answer) throws -> Answer {
        let loaded = try LoadedSettings(invocation, console: console)
        var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
        session.configuration.needsWritableServer = true
        do {
            return try session.run { connection in
                do {
                    return try await connection.transaction(until: .never) { connection in
                        let session = PostgresSession(inTransactionOf: connection)
                        return try await body(TokenStore(hashedBy: Digest.sha256, session), AuditStore(session))
                    }
                } catch let error as AccessError where error.code == .database {
                    throw error.underlying
                }
            }
        } catch let error as AccessError {
            throw DatabaseFailure(message: error.message, advice: error.help, exitCode: error.code == .nameTaken ? .conflict : .invalid)
        }
    }
}
