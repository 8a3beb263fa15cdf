import Telemetry
import TestDatabase
import Testing
import Values

@testable import Access

@Suite("The token store", .databaseForEachTest)
struct TokenStoreTests {
    @Test("A valid token resolves to its principal, and an unknown, expired or revoked one resolves to nil")
    func curators() async throws {
        try await AccessSite.run { site in
            let token = AccessToken.sample("ci")
            #expect(try await site.curator(with: token) == nil)
            let record = try await site.tokens.create(token, name: "ci", scope: .curate, lifetime: .seconds(3_600))
            #expect(record.prefix == token.prefix && record.expiresAt == record.createdAt.advanced(by: .seconds(3_600)))
            #expect(try await site.curator(with: token) == Principal(id: record.id, name: "ci", scope: .curate))
            let other = AccessToken.sample("other").secret.exposed.suffix(43)
            let forged = try #require(AccessToken("\(token.prefix)_\(other)"))
            #expect(try await site.curator(with: forged) == nil)
            try await site.sql(
                "UPDATE vitrine.tokens SET created_at = now() - interval '2 h', last_used_at = NULL, expires_at = now() - interval '1 s'")
            #expect(try await site.curator(with: token) == nil)
            try await site.sql("UPDATE vitrine.tokens SET expires_at = NULL")
            #expect(try await site.curator(with: token) != nil)
            #expect(try await site.tokens.revoke(record.id)?.revokedAt != nil)
            #expect(try await site.curator(with: token) == nil)
            #expect(try await site.tokens.revoke(record.id) == nil)
        }
    }

    @Test("A token is valid until its expiry time, and its last use is recorded at most once a minute")
    func times() async throws {
        try await AccessSite.run { site in
            let token = AccessToken.sample("ci")
            _ = try await site.tokens.create(token, name: "ci", scope: .curate)
            // Within a transaction the time of the database does not advance.
            try await site.sql("BEGIN; UPDATE vitrine.tokens SET created_at = now() - interval '2 h', expires_at = now()")
            #expect(try await site.curator(with: token) == nil)
            try await site.sql("UPDATE vitrine.tokens SET expires_at = now() + interval '1 microsecond'")
            #expect(try await site.curator(with: token) != nil)
            let sinceUse = "SELECT (now() - last_used_at)::text FROM vitrine.tokens"
            #expect(try await site.text(sinceUse) == "00:00:00")
            for (before, after) in [("1 minute", "00:01:00"), ("1 minute 1 microsecond", "00:00:00")] {
                try await site.sql("UPDATE vitrine.tokens SET last_used_at = now() - interval '\(before)'")
                _ = try await site.curator(with: token)
                #expect(try await site.text(sinceUse) == after)
            }
            try await site.sql("ROLLBACK")
        }
    }

    @Test("The database stores no secret of a token")
    func hashes() async throws {
        try await AccessSite.run { site in
            let token = AccessToken.sample("ci")
            _ = try await site.tokens.create(token, name: "ci", scope: .admin)
            let row = try #require(try await site.text("SELECT tokens::text FROM vitrine.tokens"))
            #expect(row.contains(token.prefix) && !row.contains(token.secret.exposed.suffix(43)))
        }
    }

    @Test("The last use of a token changes at most once a minute")
    func lastUse() async throws {
        try await AccessSite.run { site in
            let token = AccessToken.sample("ci")
            _ = try await site.tokens.create(token, name: "ci", scope: .read)
            func lastUse() async throws -> String? { try await site.text("SELECT last_used_at::text FROM vitrine.tokens") }
            #expect(try await lastUse() == nil)
            _ = try await site.curator(with: token)
            let first = try await lastUse()
            #expect(first != nil)
            _ = try await site.curator(with: token)
            #expect(try await lastUse() == first)
            try await site.sql(
                "UPDATE vitrine.tokens SET created_at = now() - interval '1 h', last_used_at = now() - interval '61 s'")
            let before = try await lastUse()
            _ = try await site.curator(with: token)
            #expect(try await lastUse() != before)
        }
    }

    @Test("Only one active token can have a name, and invalid names are rejected")
    func names() async throws {
        try await AccessSite.run { site in
            let first = try await site.tokens.create(.sample("1"), name: "ci", scope: .read)
            func refusal(_ name: String, lifetime: Duration? = nil) async throws -> AccessError.Code? {
                do throws(AccessError) {
                    _ = try await site.tokens.create(.sample("2"), name: name, scope: .read, lifetime: lifetime)
                    return nil
                } catch {
                    return error.code
                }
            }
            #expect(try await refusal("ci") == .tokenNameTaken)
            #expect(try await refusal(" ci") == .invalidTokenName)
            #expect(try await refusal("ci\u{1B}[2J") == .invalidTokenName)
            #expect(try await refusal(String(repeating: "a", count: 81)) == .invalidTokenName)
            #expect(try await refusal("night", lifetime: .zero) == .invalidTokenLifetime)
            _ = try await site.tokens.revoke(first.id)
            #expect(try await refusal("ci") == nil)
            #expect(try await site.tokens.tokens(withRevoked: true).count == 2)
            #expect(try await site.tokens.tokens(withRevoked: false).count == 1)
            for word in ["ci", AccessToken.sample("2").prefix] {
                #expect(try await site.tokens.tokens(called: word).map(\.prefix) == [AccessToken.sample("2").prefix])
            }
            #expect(try await site.tokens.tokens(called: first.id.description).isEmpty)
        }
    }
}
