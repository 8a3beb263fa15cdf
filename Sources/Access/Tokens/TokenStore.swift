package import Postgres
internal import Telemetry
package import Values

/// The issued tokens. Each call runs in one transaction.
package struct TokenStore {
    package typealias Hash = @Sendable (_ bytes: [UInt8]) -> [UInt8]
    /// A comparison of two hashes in constant time.
    package typealias Comparison = @Sendable (_ hash: [UInt8], _ other: [UInt8]) -> Bool

    private let hash: Hash
    private let session: PostgresSession

    /// Creates a store; `hash` must be SHA-256.
    package init(hashedBy hash: @escaping Hash, _ session: PostgresSession) {
        self.hash = hash
        self.session = session
    }

    /// Returns the owner of a token; nil if the token is unknown, expired or revoked. A caller cannot tell these cases
    /// apart.
    package func curator(with token: AccessToken, comparedBy areEqual: Comparison) async throws(AccessError) -> Principal? {
        let found = try await session.queryResults(
            to: PostgresQuery(AccessQueries.findToken, token.prefix), as: UUID.self, String.self, Bytes.self, String.self, Bool.self,
            Bool.self
        ).first
        let given = hash(Array(token.secret.exposed.utf8))
        // The comparison also runs for an unknown token, so that both cases take the same time.
        let isRight = areEqual(found?.2.bytes ?? Array(given.reversed()), given)
        guard isRight, let (id, name, _, scope, isGood, isUseDue) = found, isGood, let scope = TokenScope(rawValue: scope) else {
            return nil
        }
        if isUseDue { try await session.queryResult(PostgresQuery(AccessQueries.noteUse, id)) }
        return Principal(id: id, name: name, scope: scope)
    }

    /// Stores the record and the hash of a token. Without a lifetime it lasts until it is revoked.
    package func create(
        _ token: AccessToken, name: String, scope: TokenScope, lifetime: Duration? = nil
    ) async throws(AccessError) -> TokenRecord {
        let milliseconds = lifetime.map { Int(clamping: $0.components.seconds) * 1_000 }
        let query = PostgresQuery(
            AccessQueries.createToken, name, token.prefix, Bytes(hash(Array(token.secret.exposed.utf8))), scope.rawValue, milliseconds)
        guard let record = try await records(query).first else { throw AccessError(lacking: AccessQueries.createToken) }
        return record
    }

    /// Returns the tokens after one of them, sorted by name. Without `token` they start with the first, and without `limit` they
    /// are all.
    package func tokens(
        withRevoked: Bool, after token: UUID? = nil, limit: Int? = nil
    ) async throws(AccessError) -> [TokenRecord] {
        try await records(PostgresQuery(AccessQueries.tokens, withRevoked, token, limit))
    }

    /// Returns the active tokens with this name, prefix or ID, and locks them for the rest of the transaction.
    package func tokens(called word: String) async throws(AccessError) -> [TokenRecord] {
        try await records(PostgresQuery(AccessQueries.findTokens, word))
    }

    /// Returns the token with this ID; nil if it does not exist.
    package func token(_ id: UUID) async throws(AccessError) -> TokenRecord? {
        try await records(PostgresQuery(AccessQueries.token, id)).first
    }

    /// Locks a token against revocation for the rest of the transaction.
    package func hold(_ id: UUID) async throws(AccessError) { try await session.queryResult(PostgresQuery(AccessQueries.lockToken, id)) }

    /// Revokes a token when the transaction commits; nil if it was revoked before.
    package func revoke(_ id: UUID) async throws(AccessError) -> TokenRecord? {
        try await records(PostgresQuery(AccessQueries.revokeToken, id)).first
    }

    private func records(_ query: PostgresQuery) async throws(AccessError) -> [TokenRecord] {
        let rows = try await session.queryResults(
            to: query, as: UUID.self, String.self, String.self, String.self, Timestamp.self, Timestamp?.self, Timestamp?.self,
            Timestamp?.self)
        return rows.compactMap { id, name, prefix, scope, created, expires, used, revoked in
            TokenScope(rawValue: scope).map {
                TokenRecord(
                    id: id, name: name, prefix: prefix, scope: $0, createdAt: created, expiresAt: expires, lastUsedAt: used,
                    revokedAt: revoked)
            }
        }
    }
}
