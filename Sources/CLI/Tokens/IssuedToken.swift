internal import JSON
internal import Telemetry

/// A token together with what is kept of it, to be told once.
struct IssuedToken: Sendable, JSONEncodable {
    let token: TokenRow
    let secret: Secret

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", token.name)
            json.member("scope", token["scope"])
            json.member("id", token["id"])
            json.member("expiresAt", token.value["expiresAt"]?.text)
            json.member("token", secret.exposed)
        }
    }

    static let columns: [ListPage<IssuedToken>.Column] = [
        .init(title: "NAME") { $0.token.name }, .init(title: "SCOPE") { $0.token["scope"] },
        .init(title: "EXPIRES") { $0.token["expiresAt"] }, .init(title: "TOKEN") { $0.secret.exposed },
    ]
}
