package import JSON
package import Values

/// The stored data of a token, without its secret.
package struct TokenRecord: Sendable, Equatable {
    package let id: UUID
    package let name: String
    package let prefix: String
    package let scope: TokenScope
    package let createdAt: Timestamp
    /// The expiry; nil if the token lasts until it is revoked.
    package let expiresAt: Timestamp?
    /// The last use, to the minute; nil if the token is unused.
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

/// The identity that a token proves.
package struct Principal: Sendable, Equatable {
    package let id: UUID
    package let name: String
    package let scope: TokenScope
}

/// The permissions of a token. Each scope includes the permissions of the scopes before it.
package enum TokenScope: String, Sendable, CaseIterable, Comparable, JSONDecodable {
    /// Reads everything, including the audit log.
    case read
    /// Saves drafts, which clients do not see.
    case curate
    /// Publishes revisions to clients.
    case publish
    /// Manages the server itself.
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
