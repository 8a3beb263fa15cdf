internal import Curating
internal import JSON
internal import Postgres
internal import Telemetry
internal import Time

/// A token together with what is kept of it, to be told once.
struct IssuedToken: Sendable, JSONEncodable {
    let record: TokenRecord
    let token: AccessToken

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", record.name)
            json.member("scope", record.scope.rawValue)
            json.member("id", record.id.description)
            json.member("expiresAt", record.expiresAt?.description)
            json.member("token", token.secret.exposed)
        }
    }

    static let columns: [ListPage<IssuedToken>.Column] = [
        .init(title: "NAME") { $0.record.name }, .init(title: "SCOPE") { $0.record.scope.rawValue },
        .init(title: "EXPIRES") { $0.record.expiresAt?.description ?? "" }, .init(title: "TOKEN") { $0.token.secret.exposed },
    ]
}

extension TokenRecord {
    static let columns: [ListPage<TokenRecord>.Column] = [
        .init(title: "NAME") { $0.name }, .init(title: "SCOPE") { $0.scope.rawValue }, .init(title: "PREFIX") { $0.prefix },
        .init(title: "ID", isWide: true) { $0.id.description },
        .init(title: "CREATED", isWide: true) { $0.createdAt.description },
        .init(title: "LAST USED") { $0.lastUsedAt?.description ?? "" }, .init(title: "EXPIRES") { $0.expiresAt?.description ?? "" },
        .init(title: "REVOKED", isWide: true) { $0.revokedAt?.description ?? "" },
    ]
}
