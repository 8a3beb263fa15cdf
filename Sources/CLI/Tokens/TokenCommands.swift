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
            "token", "Manage API tokens",
            discussion: """
                The commands call a server and need a token with the scope admin. To create the first token, use --direct, which accesses the \
                database and needs no token.
                """,
            examples: [
                Example("vitrine token create --name anna --scope publish", "Create a token for a curator who publishes."),
                Example("vitrine token ls", "List the tokens with the time of their last use."),
                Example("vitrine token revoke anna --yes", "Revoke a token immediately, on every server."),
            ],
            subcommands: [create, list, revoke])
    }

    // MARK: Creating

    private static let name = Option(required: "name", .text.named("NAME"), "The name of the user or program. The audit log records it.")
    private static let scope = Option(
        required: "scope", .choice(of: TokenScope.self).named("SCOPE"),
        "The permissions. Each scope includes the permissions of the scopes before it.")
    private static let lifetime = Option(
        "lifetime", .duration(in: .seconds(60)...(.seconds(86_400 * 3_650))).named("DURATION"),
        "The time until the token expires. Default: it never expires.")
    private static let format = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Print all fields in this format. Default: only the token.")

    private var create: Command {
        Command(
            "create", "Create a token and print it once",
            discussion: """
                The server stores only a hash of the token, so the token cannot be shown again. The scopes are read (reads everything), \
                curate (saves drafts), publish (publishes, and changes the catalog) and admin (manages tokens and storefronts).
                """,
            examples: [
                Example("vitrine token create --name anna --scope publish > token", "Save a token to a file, for VITRINE_TOKEN_FILE."),
                Example(
                    "vitrine token create --name nightly --scope read --lifetime 90d -o json", "Create a token that expires after 90 days."),
                Example(
                    "vitrine token create --name first --scope admin --direct > token",
                    "Create the first token directly in the database."),
            ],
            options: [Self.name, Self.scope, Self.lifetime, Self.format] + Self.places, groups: [Settings.databaseGroup]
        ) { invocation in
            let options = TokenOptions(name: invocation[Self.name], scope: invocation[Self.scope], lifetime: invocation[Self.lifetime])
            let issued = try backend(invocation).create(options)
            guard let format = invocation[Self.format] else {
                try console.print("\(issued.secret.exposed)\n")
                let token = issued.token
                let end = token.expiresAt.map { "expires at \($0)" } ?? "never expires"
                console.printStatus(
                    "Created token \(token.prefix.printable())… for '\(token.name.printable())' (\(token.scope.rawValue), \(end)). The complete token is not shown again.\n"
                )
                return .ok
            }
            try ListPage(elements: [issued], columns: IssuedToken.columns, name: \.token.name).print(as: format, width: nil)
            return .ok
        }
    }

    // MARK: Listing and revoking

    private static let revoked = Option(flag: "include-revoked", "Include revoked tokens.")

    private var list: Command {
        Command(
            "ls", "List tokens by name",
            examples: [
                Example("vitrine token ls", "List the active tokens."),
                Example("vitrine token ls --include-revoked -o json", "List all tokens as JSON."),
            ],
            options: [Self.revoked, ListFormat.option] + Self.places, groups: [Settings.databaseGroup]
        ) { invocation in
            let tokens = try backend(invocation).tokens(withRevoked: invocation[Self.revoked])
            try ListPage(elements: tokens, columns: TokenRecord.columns, name: \.name).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private static let token = Argument("TOKEN", .text.completed(by: RemoteCompletions.tokens), "The name, prefix or ID of the token.")

    private var revoke: Command {
        Command(
            "revoke", "Revoke a token",
            discussion: "The token becomes invalid immediately. Its name can be used again, and its changes stay in the audit log.",
            examples: [
                Example("vitrine token revoke anna --yes", "Revoke a token without a confirmation."),
                Example("vitrine token revoke first --direct --yes", "Revoke a token directly in the database."),
            ],
            arguments: [Self.token], options: [Console.dryRun, Console.agreement, Self.revokedFormat] + Self.places,
            groups: [Settings.databaseGroup]
        ) { invocation in
            let backend = try backend(invocation)
            let token = try backend.token(called: invocation[Self.token])
            let description = "'\(token.name.printable())' (\(token.prefix.printable()), \(token.scope.rawValue))"
            guard !invocation[Console.dryRun] else {
                try print(token, "Would revoke token \(description).", invocation)
                console.printStatus(Console.noChanges)
                return .ok
            }
            guard try console.confirm("Revoke token \(description)?", invocation) else { return .failed }
            try print(try backend.revoke(token), "Revoked token \(description).", invocation)
            return .ok
        }
    }

    private static let revokedFormat = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Print the token in this format.")

    private func print(_ token: TokenRecord, _ sentence: String, _ invocation: Invocation) throws {
        guard let format = invocation[Self.revokedFormat] else { return try console.print("\(sentence)\n") }
        try ListPage(elements: [token], columns: TokenRecord.columns, name: \.name).print(as: format)
    }

    // MARK: Backend

    static let direct = Option(flag: "direct", "Connect to the database directly, not to a server. Needs no token.")

    private static let places: [any OptionDeclaring] = [direct] + RemoteSession.options

    /// Returns the selected backend. Rejects options of the other one, because they would have no effect.
    private func backend(_ invocation: Invocation) throws -> any TokenBackend {
        let isDirect = invocation[Self.direct]
        let others = isDirect ? RemoteSession.options.map(\.declaration) : Settings.flagGroup.options
        if let option = others.first(where: { invocation.flagText($0.name) != nil }) {
            throw invocation.usageError("option '--\(option.name)' \(isDirect ? "cannot be combined with" : "requires") '--direct'")
        }
        return isDirect
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

    func token(called argument: String) throws -> TokenRecord {
        try run { tokens, _ in try Self.one(of: await tokens.tokens(called: argument), called: argument) }
    }

    func revoke(_ before: TokenRecord) throws -> TokenRecord {
        try run { tokens, audit in
            guard let after = try await tokens.revoke(before.id) else { return before }
            try await audit.record(
                AuditedChange(.revokeToken, of: "tokens/\(after.id)", from: try before.json(), to: try after.json()), by: nil, request: nil)
            return after
        }
    }

    private func run<Result: Sendable>(_ body: @escaping @Sendable (TokenStore, AuditStore) async throws -> Result) throws -> Result {
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
