internal import Access
internal import EventLoop
internal import JSON
internal import Postgres
internal import SQLFiles
internal import Security

/// The token of a developer's own shop, which may do everything.
enum DevToken {
    /// The one that was kept, where it is still good, or else a new one in place of those before it.
    static func token(_ kept: AccessToken?, _ connection: PostgresConnection) async throws -> AccessToken {
        try await connection.transaction(until: .never) { connection in
            let session = PostgresSession(inTransactionOf: connection)
            let tokens = TokenStore(hashedBy: Digest.sha256, session)
            if let kept, let curator = try await tokens.curator(with: kept, comparedBy: { HMACKey.areEqual($0, $1) }),
                curator.scope == .admin
            {
                return kept
            }
            let audit = AuditStore(session)
            let name = ProfileName.dev.description
            for old in try await tokens.tokens(called: name) where old.name == name {
                guard let record = try await tokens.revoke(old.id) else { continue }
                try await audit.record(
                    AuditedChange(.revokeToken, of: "tokens/\(old.id)", from: try old.json(), to: try record.json()), by: nil, request: nil)
            }
            let token = AccessToken.new()
            let record = try await tokens.create(token, name: name, scope: .admin)
            try await audit.record(
                AuditedChange(.createToken, of: "tokens/\(record.id)", from: nil, to: try record.json()), by: nil, request: nil)
            return token
        }
    }
}
