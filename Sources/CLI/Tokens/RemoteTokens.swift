internal import Access
internal import Arguments
internal import HTTPMessages
internal import JSON
internal import Telemetry
internal import Values

struct RemoteTokens: TokenBackend {
    let console: Console
    let invocation: Invocation

    func create(_ options: TokenOptions) throws -> IssuedToken {
        let body = JSONValue.object(
            [.init(key: "name", value: .string(options.name)), .init(key: "scope", value: .string(options.scope.rawValue))]
                + (options.lifetime.map { [.init(key: "lifetimeSeconds", value: .integer(Int(clamping: $0.components.seconds)))] } ?? []))
        return try run { server in
            guard let response = try await server.send(.post, "tokens", body: body.json()).document else {
                throw AdminClient.notVitrineServer
            }
            guard let secret = response["secret"]?.string, let token = response["token"]?.decodeLeniently(TokenRecord.self) else {
                throw RemoteError(
                    message: "the token was created, but the response does not contain it",
                    advice: "revoke it with 'vitrine token revoke \(options.name)', and create another token", exitCode: .failed)
            }
            return IssuedToken(token: token, secret: Secret(secret))
        }
    }

    func tokens(withRevoked: Bool) throws -> [TokenRecord] {
        try run { server in try await Self.tokens(server, withRevoked: withRevoked) }
    }

    func token(called argument: String) throws -> TokenRecord {
        try run { server in try Self.one(of: await Self.tokens(server).filter { $0.isCalled(argument) }, called: argument) }
    }

    func revoke(_ token: TokenRecord) throws -> TokenRecord {
        try run { server in
            let path = "tokens/\(token.id)"
            return try await AdminClient.retryingOnConflict { _ in
                let response = try await server.send(.delete, path, [], .state(try await server.state(path).condition))
                return try response.value()
            }
        }
    }

    private static func tokens(_ server: AdminClient, withRevoked: Bool = false) async throws -> [TokenRecord] {
        try await server.all("tokens", "tokens", [(name: "includeRevoked", value: "\(withRevoked)")], of: TokenRecord.self)
    }

    /// Runs a body. If the server rejects the token or is unreachable, the error suggests the option that needs
    /// neither.
    private func run<Result: Sendable>(_ body: @escaping @Sendable (AdminClient) async throws -> Result) throws -> Result {
        do {
            return try RemoteSession(console: console).run(invocation, body)
        } catch let failure as RemoteError
            where [.notAllowed, .unreachable].contains(failure.exitCode)
            && !failure.advice.contains(TokenCommands.direct.declaration.name)
        {
            throw RemoteError(
                message: failure.message,
                advice: "\(failure.advice)\nuse '--direct' on a machine that can connect to the database; it needs no token and no server",
                exitCode: failure.exitCode, details: failure.details)
        }
    }
}
