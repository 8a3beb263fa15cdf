import Access
import HTTPMessages
import JSON
import Testing

@testable import API
@testable import HTTP

extension AdminSite {
    static let feed = "/admin/v1/feeds/today"
    static let tonight = today.replacing("Today", with: "Tonight")

    /// Runs a body with a feed that has a draft, and a token with all scopes.
    static func withDraft(_ body: @escaping @Sendable (AdminSite, AccessToken) async throws -> Void) async throws {
        try await run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, "PUT \(feed)/draft", anna, ["If-None-Match: *"], body: today)
            try await body(site, anna)
        }
    }

    /// Publishes a revision of the feed.
    func publish(
        _ token: AccessToken, _ order: String = #"{"revision":1}"#, _ status: Status = .created
    ) async throws -> Response {
        let tag = try await expect(.ok, "GET \(Self.feed)/publications", token).tag
        return try await expect(status, "POST \(Self.feed)/publications", token, ["If-Match: \(tag)"], body: order)
    }
}
