package import JSON
package import Values

/// What is kept of a token: everything but the token.
package struct TokenRecord: Sendable, Equatable {
    package let id: UUID
    package let name: String
    package let prefix: String
    package let scope: TokenScope
    package let createdAt: Timestamp
    /// Nil for one that lasts until it is revoked.
    package let expiresAt: Timestamp?
    /// To the minute; nil where it was never used.
    package let lastUsedAt: Timestamp?
    package let revokedAt: Timestamp?
}

extension TokenRecord {
    package var unused: TokenRecord {
        TokenRecord(
            id: id, name: name, prefix: prefix, scope: scope, createdAt: createdAt, expiresAt: expiresAt, lastUsedAt: nil,
            revokedAt: revokedAt)
    }
}

extension TokenRecord: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id.description)
        json.member("name", name)
        json.member("prefix", prefix)
        json.member("scope", scope.rawValue)
        json.member("createdAt", createdAt.description)
        json.member("expiresAt", expiresAt?.description)
        json.member("lastUsedAt", lastUsedAt?.description)
        json.member("revokedAt", revokedAt?.description)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        id = try object.value("id")
        name = try object.value("name")
        prefix = try object.value("prefix")
        scope = try object.value("scope")
        createdAt = try object.value("createdAt")
        expiresAt = object.optional("expiresAt")
        lastUsedAt = object.optional("lastUsedAt")
        revokedAt = object.optional("revokedAt")
    }
}

/// Who asks for something, as a token has proved.
package struct Principal: Sendable, Equatable {
    package let id: UUID
    package let name: String
    package let scope: TokenScope
}

/// What a token may do. Each scope includes those before it.
package enum TokenScope: String, Sendable, CaseIterable, Comparable, JSONDecodable {
    /// Looks at everything, the audit included.
    case read
    /// Saves drafts, which nobody is shown.
    case curate
    /// Decides what clients see.
    case publish
    /// Looks after the server itself.
    case admin

    package static func < (left: TokenScope, right: TokenScope) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .curate: 1
        case .publish: 2
        case .admin: 3
        }
    }
}
