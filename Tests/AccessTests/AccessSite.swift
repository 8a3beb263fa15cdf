import Catalog
import Items
import Postgres
import Security
import Telemetry
import TestDatabase

@testable import Access

/// The stores of a test's own database.
struct AccessSite {
    let connection: PostgresConnection

    static func run(_ body: @escaping @Sendable (AccessSite) async throws -> Void) async throws {
        try await withConnection { connection in try await body(AccessSite(connection: connection)) }
    }

    /// Runs a body with the stores on a second connection of the same event loop.
    func beside(_ body: (AccessSite) async throws -> Void) async throws {
        let other = try await PostgresConnection.connect(ScratchDatabase.current.configuration, on: connection.loop, until: .soon)
        defer { other.close() }
        try await body(AccessSite(connection: other))
    }

    private var session: PostgresSession { PostgresSession(connection, within: .seconds(60)) }

    var tokens: TokenStore { TokenStore(hashedBy: Digest.sha256, session) }
    var audit: AuditStore { AuditStore(session) }
    var replies: IdempotencyStore { IdempotencyStore(session) }

    func replies(lifetime: Duration = .seconds(86_400), maxForgotten: Int = 100) -> IdempotencyStore {
        IdempotencyStore(lifetime: lifetime, maxForgotten: maxForgotten, session)
    }

    func curator(with token: AccessToken) async throws -> Principal? {
        try await tokens.curator(with: token, comparedBy: { HMACKey.areEqual($0, $1) })
    }

    func sql(_ script: String) async throws { try await connection.runScript("change", script, until: .soon) }

    func text(_ sql: String) async throws -> String? {
        try await connection.rows(of: PostgresQuery("text", sql), as: String?.self, until: .soon).first ?? nil
    }

    /// Creates a token and returns its principal.
    func known(_ name: String = "ci", _ scope: TokenScope = .publish) async throws -> Principal {
        let token = AccessToken.sample(name)
        _ = try await tokens.create(token, name: name, scope: scope)
        guard let curator = try await curator(with: token) else { throw LeftOut() }
        return curator
    }

    struct LeftOut: Error {}
}

extension AccessToken {
    /// Returns a token that depends only on the name, so that two calls with one name return equal tokens.
    static func sample(_ name: String) -> AccessToken {
        AccessToken(random: Array((Digest.sha256(Array(name.utf8)) + Digest.sha256(Array("\(name)!".utf8))).prefix(randomSize)))
    }
}
