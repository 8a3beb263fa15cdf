import Access
import HTTPMessages
import Host
import JSON
import Telemetry
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Server

@Suite("The routes of tokens", .databaseForEachTest)
struct TokenRouteTests {
    private static let tokens = "/admin/v1/tokens"
    private static let order = #"{"name":"nightly","scope":"curate","lifetimeSeconds":3600}"#

    private func made(_ response: Response) throws -> (token: AccessToken, id: String) {
        (
            try #require(try response.json["secret"]?.string.flatMap { AccessToken($0) }),
            try #require(try response.json["token"]?["id"]?.string)
        )
    }

    @Test("A created token has its scope, and its secret is returned only once")
    func create() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            let response = try await site.expect(.created, "POST \(Self.tokens)", admin, body: Self.order)
            let (token, id) = try made(response)
            #expect(response[.location] == ["\(Self.tokens)/\(id)"])
            try await site.expect(.ok, "GET /admin/v1/feeds", token)
            try await site.expect(.forbidden, "GET \(Self.tokens)", token)
            let one = try await site.expect(.ok, "GET \(Self.tokens)/\(id)", admin)
            #expect(try one.json["name"]?.string == "nightly" && one.json["lastUsedAt"] != nil && one.json["expiresAt"] != nil)
            #expect(one.tag == response.tag, "its use is no change")
            let all = try await site.expect(.ok, "GET \(Self.tokens)", admin)
            #expect(try all.json["tokens"]?.elements.compactMap { $0["name"]?.string } == ["admin", "nightly"])
            let secret = String(token.secret.exposed.suffix(43))
            #expect(!(one.text + all.text).contains(secret))
            #expect(
                try await site.rows("SELECT concat_ws(' ', actor, action, subject, after ->> 'scope') FROM vitrine.audit_entries") == [
                    "admin token.create tokens/\(id) curate"
                ])
        }
    }

    @Test("The pages of the tokens have each token once, by name, even if the last one of a page is revoked")
    func pages() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            for name in ["c", "a", "d", "b"] {
                try await site.expect(.created, "POST \(Self.tokens)", admin, body: #"{"name":"\#(name)","scope":"read"}"#)
            }
            var names: [String] = []
            var next: String? = "\(Self.tokens)?limit=1"
            while let path = next {
                let response = try await site.expect(.ok, "GET \(path)", admin)
                let page = try response.json
                names += page["tokens"]?.elements.compactMap { $0["name"]?.string } ?? []
                next = page["next"]?.string
                #expect(response["link"] == next.map { ["<\($0)>; rel=\"next\""] } ?? [])
                try await site.sql("UPDATE vitrine.tokens SET revoked_at = clock_timestamp() WHERE name = 'a' AND revoked_at IS NULL")
            }
            #expect(names == ["a", "admin", "b", "c", "d"])
            let all = try await site.expect(.ok, "GET \(Self.tokens)", admin).json["tokens"]
            #expect(all?.elements.compactMap { $0["name"]?.string } == ["admin", "b", "c", "d"])
            let cursor = try #require(try await site.expect(.ok, "GET \(Self.tokens)?limit=1", admin).json["next"]?.string)
            #expect(try await site.expect(.badRequest, "GET \(cursor)&includeRevoked=true", admin).code == "cursorMismatch")
        }
    }

    @Test(
        "An invalid token request is rejected with its code",
        arguments: [
            (#"{"name":"admin","scope":"read"}"#, Status.conflict, "tokenNameTaken"),
            (#"{"name":" x","scope":"read"}"#, .unprocessableContent, "invalidTokenName"),
            (#"{"name":"x"}"#, .unprocessableContent, "invalidDocument"),
            (#"{"name":"x","scope":"root"}"#, .unprocessableContent, "invalidDocument"),
            (#"{"name":"x","scope":"read","lifetimeSeconds":59}"#, .unprocessableContent, "invalidDocument"),
            (#"{"name":"x","scope":"read","lifetimeSeconds":315360001}"#, .unprocessableContent, "invalidDocument"),
            (#"{"name":"x","scope":"read","secret":"x"}"#, .unprocessableContent, "invalidDocument"),
            ("", .unprocessableContent, "invalidDocument"),
        ])
    func refused(body: String, status: Status, code: String) async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            let response = try await site.expect(status, "POST \(Self.tokens)", admin, body: body)
            #expect(try response.code == code)
            #expect(try await site.rows("SELECT name FROM vitrine.tokens") == ["admin"])
        }
    }

    @Test("A token is revoked immediately with a current ETag, and its name can be used again")
    func revoke() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            let response = try await site.expect(.created, "POST \(Self.tokens)", admin, body: Self.order)
            let (token, id) = try made(response)
            let line = "DELETE \(Self.tokens)/\(id)"
            try await site.expect(.preconditionRequired, line, admin)
            try await site.expect(.preconditionFailed, line, admin, [#"If-Match: "x""#])
            try await site.expect(.ok, "GET /admin/v1/feeds", token)
            let revoked = try await site.expect(.ok, line, admin, ["If-Match: \(response.tag)"])
            #expect(try revoked.json["revokedAt"] != nil && revoked.tag != response.tag)
            try await site.expect(.unauthorized, "GET /admin/v1/feeds", token)
            try await site.expect(.preconditionFailed, line, admin, ["If-Match: \(response.tag)"])
            let again = try await site.expect(.ok, line, admin, ["If-Match: \(revoked.tag)"])
            #expect(again.text == revoked.text)
            #expect(try await site.expect(.ok, "GET \(Self.tokens)", admin).json["tokens"]?.count == 1)
            #expect(try await site.expect(.ok, "GET \(Self.tokens)?includeRevoked=true", admin).json["tokens"]?.count == 2)
            try await site.expect(.created, "POST \(Self.tokens)", admin, body: Self.order)
            #expect(
                try await site.rows("SELECT action FROM vitrine.audit_entries ORDER BY number")
                    == ["token.create", "token.revoke", "token.create"])
            for path in ["\(Self.tokens)/\(UUID(high: 1, low: 1))", "\(Self.tokens)/nightly"] {
                try await site.expect(.notFound, "GET \(path)", admin)
                try await site.expect(.notFound, "DELETE \(path)", admin, ["If-Match: *"])
            }
        }
    }

    @Test("A repeat with the same Idempotency-Key omits the secret, which is stored nowhere")
    func secret() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            let key = ["Idempotency-Key: once"]
            let first = try await site.expect(.created, "POST \(Self.tokens)", admin, key, body: Self.order)
            let (token, id) = try made(first)
            let second = try await site.expect(.created, "POST \(Self.tokens)", admin, key, body: Self.order)
            #expect(try second.json["secret"] == nil && second.json["token"]?["id"]?.string == id)
            #expect(second.tag == first.tag && second[.location] == first[.location])
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["1"])
            var received = site.log.withLock { $0 } + (await site.metrics.text())
            for table in ["tokens", "audit_entries"] {
                received += try await site.rows("SELECT \(table)::text FROM vitrine.\(table)").joined()
            }
            received += try await site.rows("SELECT convert_from(body, 'UTF8') FROM vitrine.replies").joined()
            #expect(received.contains("nightly") && !received.contains(token.secret.exposed.suffix(43).prefix(20)))
        }
    }
}
