internal import Commands
internal import Curating
import Host
internal import JSON
internal import Postgres
internal import Settings
internal import Telemetry
internal import Time

/// `vitrine token`: who may speak to the admin API. These commands alone work in the database itself.
struct TokenCommands {
    let console: Console

    var command: Command {
        Command(
            "token", "Hands out and revokes the tokens of the admin API.",
            discussion: "It works in the database itself, as the first token has to come from somewhere.",
            examples: [
                Example("vitrine token create --name anna --scope publish", "Prints a token for somebody who publishes."),
                Example("vitrine token ls", "Lists the tokens and when each was used last."),
                Example("vitrine token revoke anna", "Ends one at once, on every server."),
            ],
            subcommands: [create, list, revoke])
    }

    // MARK: Handing out

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
            ],
            options: [Self.name, Self.scope, Self.expires, Self.format], groups: [Settings.flagGroup]
        ) { invocation in
            let (name, scope, lifetime) = (invocation[Self.name], invocation[Self.scope], invocation[Self.expires])
            let token = AccessToken.new()
            let record = try TokenSession(console: console).run(invocation) { tokens, audit in
                let record = try await tokens.create(token, name: name, scope: scope, lifetime: lifetime)
                try await audit.record(
                    AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: try record.json()), by: nil, request: nil)
                return record
            }
            guard let format = invocation[Self.format] else {
                try console.print("\(token.secret.exposed)\n")
                let end = record.expiresAt.map { "over at \($0)" } ?? "without an end"
                console.say("\(record.prefix) for \(record.name): \(record.scope.rawValue), \(end). It is not shown again.\n")
                return .ok
            }
            let page = ListPage(elements: [IssuedToken(record: record, token: token)], columns: IssuedToken.columns) { $0.record.name }
            try StandardStream.output.write(page.text(as: format, width: nil))
            return .ok
        }
    }

    // MARK: Looking and revoking

    private static let revoked = Option(flag: "revoked", "Also those that are revoked.")

    private var list: Command {
        Command(
            "ls", "Lists the tokens by their names.",
            examples: [
                Example("vitrine token ls", "Lists those that are not revoked."),
                Example("vitrine token ls --revoked -o json", "Lists all that there ever were, for programs."),
            ],
            options: [Self.revoked, ListFormat.option], groups: [Settings.flagGroup]
        ) { invocation in
            let withRevoked = invocation[Self.revoked]
            let records = try TokenSession(console: console).run(invocation) { tokens, _ in
                try await tokens.tokens(withRevoked: withRevoked)
            }
            let page = ListPage(elements: records, columns: TokenRecord.columns) { $0.name }
            try StandardStream.output.write(page.text(as: invocation[ListFormat.option], width: StandardStream.output.width))
            return .ok
        }
    }

    private static let token = Operand("TOKEN", .text, "Its name, its prefix or its id.")

    private var revoke: Command {
        Command(
            "revoke", "Ends a token at once.",
            discussion: "Its name can be given to another then. What was done with it stays in the audit.",
            examples: [Example("vitrine token revoke anna", "Ends the token that is called so.")],
            operands: [Self.token], options: [ListFormat.option], groups: [Settings.flagGroup]
        ) { invocation in
            let word = invocation[Self.token]
            let record: TokenRecord? = try TokenSession(console: console).run(invocation) { tokens, audit in
                guard let found = try await tokens.tokens(called: word).first, let record = try await tokens.revoke(found.id) else {
                    return nil
                }
                try await audit.record(
                    AuditedChange(.revokeToken, of: "tokens/\(record.id)", from: try found.json(), to: try record.json()), by: nil,
                    request: nil)
                return record
            }
            guard let record else {
                console.complain("there is no such token", advice: "vitrine token ls lists those that are not revoked.")
                return .notFound
            }
            let page = ListPage(elements: [record], columns: TokenRecord.columns) { $0.name }
            try StandardStream.output.write(page.text(as: invocation[ListFormat.option], width: StandardStream.output.width))
            return .ok
        }
    }
}
