package import Postgres
internal import Telemetry
package import Values

/// The tokens that were handed out. Each call is one transaction's, or several round trips of one.
package struct TokenStore {
    package typealias Hash = @Sendable (_ bytes: [UInt8]) -> [UInt8]
    /// Takes the same time wherever two hashes differ.
    package typealias Comparison = @Sendable (_ hash: [UInt8], _ other: [UInt8]) -> Bool

    private let hash: Hash
    private let session: PostgresSession

    /// `hash` is SHA-256.
    package init(hashedBy hash: @escaping Hash, _ session: PostgresSession) {
        self.hash = hash
        self.session = session
    }

    /// Whose token it is; nil for one that was never handed out, that is over, or that was revoked, which nobody who asks can tell apart.
    package func curator(with token: AccessToken, comparedBy areEqual: Comparison) async throws(AccessError) -> Principal? {
        let found = try await session.answers(
            to: PostgresQuery(AccessQueries.findToken, token.prefix), as: UUID.self, String.self, Bytes.self, String.self, Bool.self,
            Bool.self
        ).first
        let given = hash(Array(token.secret.exposed.utf8))
        // Also where there is none, so that both take as long.
        let isRight = areEqual(found?.2.bytes ?? Array(given.reversed()), given)
        guard isRight, let (id, name, _, scope, isGood, isUseDue) = found, isGood, let scope = TokenScope(rawValue: scope) else {
            return nil
        }
        if isUseDue { try await session.answer(PostgresQuery(AccessQueries.noteUse, id)) }
        return Principal(id: id, name: name, scope: scope)
    }

    /// Keeps what is needed to recognise a token; without a lifetime it lasts until it is revoked.
    package func create(
        _ token: AccessToken, name: String, scope: TokenScope, lifetime: Duration? = nil
    ) async throws(AccessError) -> TokenRecord {
        let milliseconds = lifetime.map { Int(clamping: $0.components.seconds) * 1_000 }
        let query = PostgresQuery(
            AccessQueries.createToken, name, token.prefix, Bytes(hash(Array(token.secret.exposed.utf8))), scope.rawValue, milliseconds)
        guard let record = try await records(query).first else { throw AccessError(lacking: AccessQueries.createToken) }
        return record
    }

    /// By their names.
    package func tokens(withRevoked: Bool) async throws(AccessError) -> [TokenRecord] {
        try await records(PostgresQuery(AccessQueries.tokens, withRevoked))
    }

    /// Those that a name, a prefix or an id means and that are not revoked; held for the rest of the transaction.
    package func tokens(called word: String) async throws(AccessError) -> [TokenRecord] {
        try await records(PostgresQuery(AccessQueries.findTokens, word))
    }

    /// Nil where there is none.
    package func token(_ id: UUID) async throws(AccessError) -> TokenRecord? {
        try await records(PostgresQuery(AccessQueries.token, id)).first
    }

    /// Keeps others from revoking a token for the rest of the transaction.
    package func hold(_ id: UUID) async throws(AccessError) { try await session.answer(PostgresQuery(AccessQueries.lockToken, id)) }

    /// Ends a token with the commit; nil where it was revoked before.
    package func revoke(_ id: UUID) async throws(AccessError) -> TokenRecord? {
        try await records(PostgresQuery(AccessQueries.revokeToken, id)).first
    }

    private func records(_ query: PostgresQuery) async throws(AccessError) -> [TokenRecord] {
        let rows = try await session.answers(
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
