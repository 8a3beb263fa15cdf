internal import Access
internal import Arguments
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import Security
internal import Settings
internal import Telemetry
internal import Values

/// `vitrine token`: the tokens of the admin API.
struct TokenCommands {
    let console: Console

    var command: Command {
        Command(
            "token", "Hands out and revokes the tokens of the admin API.",
            discussion: """
                It asks a server, and takes a token of the scope admin. The first token has to come from somewhere: --in-database makes it where the \
                database is, which takes none.
                """,
            examples: [
                Example("vitrine token create --name anna --scope publish", "Prints a token for somebody who publishes."),
                Example("vitrine token ls", "Lists the tokens and when each was used last."),
                Example("vitrine token revoke anna", "Ends one at once, on every server."),
            ],
            subcommands: [create, list, revoke])
    }

    // MARK: Creating

    private static let name = Option(required: "name", .text.named("NAME"), "Who uses it; the audit names it so.")
    private static let scope = Option(
        required: "scope", .choice(of: TokenScope.self).named("SCOPE"), "What it may do; each includes those before it.")
    private static let expires = Option(
        "expires", .duration(in: .seconds(60)...(.seconds(86_400 * 3_650))).named("DURATION"),
        "How long it lasts; until it is revoked unless given.")
    private static let format = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Prints all that there is of it, instead of the token alone.")

    private var create: Command {
        Command(
            "create", "Makes a token and prints it, once.",
            discussion: """
                What is kept is a hash of it, so that it cannot be shown again. The scopes are read (looks at everything), curate (saves drafts), \
                publish (decides what clients see) and admin.
                """,
            examples: [
                Example("vitrine token create --name anna --scope publish > token", "Makes one, for VITRINE_TOKEN_FILE."),
                Example("vitrine token create --name nightly --scope read --expires 90d -o json", "Makes one that is over after 90 days."),
                Example(
                    "vitrine token create --name first --scope admin --in-database > token", "Makes the first one, where the database is."),
            ],
            options: [Self.name, Self.scope, Self.expires, Self.format] + Self.places, groups: [Settings.flagGroup]
        ) { invocation in
            let options = TokenOptions(name: invocation[Self.name], scope: invocation[Self.scope], lifetime: invocation[Self.expires])
            let issued = try office(invocation).create(options)
            guard let format = invocation[Self.format] else {
                try console.print("\(issued.secret.exposed)\n")
                let token = issued.token
                let end = token.expiresAt.map { "over at \($0)" } ?? "without an end"
                console.printStatus(
                    "\(token.prefix.printable()) for \(token.name.printable()): \(token.scope.rawValue), \(end). It is not shown again.\n")
                return .ok
            }
            try ListPage(elements: [issued], columns: IssuedToken.columns, name: \.token.name).print(as: format, width: nil)
            return .ok
        }
    }

    // MARK: Listing and revoking

    private static let revoked = Option(flag: "revoked", "Also those that are revoked.")

    private var list: Command {
        Command(
            "ls", "Lists the tokens by their names.",
            examples: [
                Example("vitrine token ls", "Lists those that are not revoked."),
                Example("vitrine token ls --revoked -o json", "Lists all that there ever were, for programs."),
            ],
            options: [Self.revoked, ListFormat.option] + Self.places, groups: [Settings.flagGroup]
        ) { invocation in
            let tokens = try office(invocation).tokens(withRevoked: invocation[Self.revoked])
            try ListPage(elements: tokens, columns: TokenRecord.columns, name: \.name).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private static let token = Argument("TOKEN", .text.completed(by: RemoteCompletions.tokens), "Its name, its prefix or its id.")

    private var revoke: Command {
        Command(
            "revoke", "Ends a token at once.",
            discussion: "Its name can be given to another then. What was done with it stays in the audit.",
            examples: [
                Example("vitrine token revoke anna", "Ends the token that is called so."),
                Example("vitrine token revoke first --in-database", "Ends one where no token is left that may."),
            ],
            operands: [Self.token], options: [ListFormat.option] + Self.places, groups: [Settings.flagGroup]
        ) { invocation in
            let token = try office(invocation).revoke(invocation[Self.token])
            try ListPage(elements: [token], columns: TokenRecord.columns, name: \.name).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    // MARK: Backend

    static let inDatabase = Option(
        flag: "in-database",
        "Works in the database that the settings name instead of asking a server: for the first token, or where none is left.")

    private static let places: [any OptionDeclaring] = [inDatabase] + RemoteSession.options

    /// Returns the selected backend. Rejects options of the other one, because they would have no effect.
    private func office(_ invocation: Invocation) throws -> any TokenBackend {
        let isInDatabase = invocation[Self.inDatabase]
        let others = isInDatabase ? RemoteSession.options.map(\.declaration) : Settings.flagGroup.options
        if let option = others.first(where: { invocation.flagText($0.name) != nil }) {
            throw invocation.usageError("--\(option.name) \(isInDatabase ? "does not go" : "goes only") with --in-database")
        }
        return isInDatabase
            ? DatabaseTokens(console: console, invocation: invocation) : RemoteTokens(console: console, invocation: invocation)
    }
}

/// The tokens in the database itself, for users without a valid token. Each call is one transaction, with its entry in
/// the audit log.
struct DatabaseTokens: TokenBackend {
    let console: Console
    let invocation: Invocation

    func create(_ options: TokenOptions) throws -> IssuedToken {
        let token = AccessToken.new()
        let record = try run { tokens, audit in
            let record = try await tokens.create(token, name: options.name, scope: options.scope, lifetime: options.lifetime)
            try await audit.record(
                AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: try record.json()), by: nil, request: nil)
            return record
        }
        return IssuedToken(token: record, secret: token.secret)
    }

    func tokens(withRevoked: Bool) throws -> [TokenRecord] {
        try run { tokens, _ in try await tokens.tokens(withRevoked: withRevoked) }
    }

    func revoke(_ word: String) throws -> TokenRecord {
        try run { tokens, audit in
            let found = try await tokens.tokens(called: word)
            let one = try Self.one(of: found)
            guard let before = found.first, let after = try await tokens.revoke(before.id) else { return one }
            try await audit.record(
                AuditedChange(.revokeToken, of: "tokens/\(after.id)", from: try before.json(), to: try after.json()), by: nil, request: nil)
            return after
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
            throw DatabaseFailure(
                message: error.message, advice: error.help, exitCode: error.code == .tokenNameTaken ? .conflict : .invalid)
        }
    }
}
