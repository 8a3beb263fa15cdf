internal import Access
internal import JSON

/// A token as a list tells it: everything but the token.
struct TokenRow: Sendable, JSONEncodable {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    init(_ record: TokenRecord) throws(JSONError) {
        value = JSONValue(try JSONDocument(parsing: record.json(), limits: .ownOutput).root)
    }

    func encode(to json: inout JSONWriter) { value.encode(to: &json) }

    /// What stands under a key; empty where there is nothing.
    subscript(key: String) -> String { value[key]?.text ?? "" }

    var name: String { self["name"] }

    func isCalled(_ word: String) -> Bool { word == name || word == self["prefix"] || word.lowercased() == self["id"] }

    static let columns: [ListPage<TokenRow>.Column] = [
        .init(title: "NAME") { $0.name }, .init(title: "SCOPE") { $0["scope"] }, .init(title: "PREFIX") { $0["prefix"] },
        .init(title: "ID", isWide: true) { $0["id"] }, .init(title: "CREATED", isWide: true) { $0["createdAt"] },
        .init(title: "LAST USED") { $0["lastUsedAt"] }, .init(title: "EXPIRES") { $0["expiresAt"] },
        .init(title: "REVOKED", isWide: true) { $0["revokedAt"] },
    ]
}
