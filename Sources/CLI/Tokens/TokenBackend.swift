internal import Access
internal import Arguments
internal import JSON
internal import Telemetry
internal import Values

/// A store of tokens: a server, or its database.
protocol TokenBackend {
    func create(_ options: TokenOptions) throws -> IssuedToken
    func tokens(withRevoked: Bool) throws -> [TokenRecord]
    /// Returns the only active token with this name, prefix or ID.
    func token(called argument: String) throws -> TokenRecord
    /// Revokes a token and returns its new state.
    func revoke(_ token: TokenRecord) throws -> TokenRecord
}

struct TokenOptions: Sendable {
    let name: String
    let scope: TokenScope
    /// The lifetime; nil if the token lasts until it is revoked.
    let lifetime: Duration?
}

extension TokenBackend {
    static func one(of found: [TokenRecord], called argument: String) throws -> TokenRecord {
        guard let token = found.first else {
            throw RemoteError(
                message: "unknown token \(argument.quoted)", advice: "list the active tokens with 'vitrine token ls'", exitCode: .notFound)
        }
        guard found.count == 1 else {
            throw RemoteError(
                message: "several tokens match \(argument.quoted)",
                advice: "use an ID: \(found.map(\.id.description).joined(separator: ", "))",
                exitCode: .conflict)
        }
        return token
    }
}

struct IssuedToken: Sendable, JSONObjectEncodable {
    let token: TokenRecord
    let secret: Secret

    func encodeMembers(to json: inout JSONWriter) {
        json.member("name", token.name)
        json.member("scope", token.scope.rawValue)
        json.member("id", token.id.description)
        json.member("expiresAt", token.expiresAt?.description)
        json.member("token", secret.exposed)
    }

    static let columns: [ListPage<IssuedToken>.Column] = [
        .init(title: "NAME") { $0.token.name }, .init(title: "SCOPE") { $0.token.scope.rawValue },
        .init(title: "EXPIRES") { $0.token.expiresAt?.toTheSecond ?? "" }, .init(title: "TOKEN") { $0.secret.exposed },
    ]
}

extension TokenRecord {
    func isCalled(_ argument: String) -> Bool { argument == name || argument == prefix || argument.lowercased() == id.description }

    static let columns: [ListPage<TokenRecord>.Column] = [
        .init(title: "NAME") { $0.name }, .init(title: "SCOPE") { $0.scope.rawValue },
        .init(title: "PREFIX") { $0.prefix },
        .init(title: "ID", isWide: true) { $0.id.description }, .init(title: "CREATED", isWide: true) { $0.createdAt.toTheSecond },
        .init(title: "LAST USED") { $0.lastUsedAt?.toTheSecond ?? "" }, .init(title: "EXPIRES") { $0.expiresAt?.toTheSecond ?? "" },
        .init(title: "REVOKED", isWide: true) { $0.revokedAt?.toTheSecond ?? "" },
    ]
}
