import HTTPMessages
import JSON
import TestDatabase
import Testing

@testable import API
@testable import HTTP

extension Provocation {
    static let reading = [
        Provocation("unknownStorefront", 404) { site in try await site.get("/v1/xx/categories") },
        Provocation("notHere", 404) { site in
            try await site.admin.sql("UPDATE vitrine.items SET is_everywhere = false WHERE slug = 'app-1'; \(CatalogRows.publish)")
            return try await site.get("/v1/us/items/topapp:app-1")
        },
        Provocation("itemWithdrawn", 410) { site in
            try await site.admin.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-1'; \(CatalogRows.publish)")
            return try await site.get("/v1/us/items/topapp:app-1")
        },
        Provocation("unknownChart", 404) { site in try await site.get("/v1/us/charts/none") },
        Provocation("unknownLayout", 404) { site in try await site.get("/v1/us/layouts/\(String(repeating: "0", count: 32))") },
        Provocation("notFound", 404) { site in try await site.get("/v1/us/items/1") },
        Provocation("methodNotAllowed", 405) { site in try await site.send("DELETE /v1/us/items") },
        Provocation("invalidParameter", 400) { site in try await site.get("/v1/us/items?limit=0") },
        Provocation("invalidCursor", 400) { site in try await site.get("/v1/us/items?cursor=x") },
        Provocation("cursorMismatch", 400) { site in
            let next = try #require(try await site.get("/v1/us/items?sort=title&limit=2").json["next"]?.string)
            return try await site.get(next.replacing("sort=title", with: "sort=-releaseDate"))
        },
        Provocation("listChanged", 410) { site in
            let next = try await publishedList(site)
            try await site.publish(document: list.replacing("\"continues\"", with: "\"sort\":\"-releaseDate\",\"continues\""))
            return try await site.get(next)
        },
        Provocation("sectionGone", 410) { site in
            let next = try await publishedList(site)
            try await site.publish(document: list.replacing("\"key\":\"apps\"", with: "\"key\":\"others\""))
            return try await site.get(next)
        },
        Provocation("keyRetired", 410) { site in
            let next = try #require(try await site.get("/v1/us/items?limit=2").json["next"]?.string)
            return try await site.get(next, of: try await site.afterKeyChange())
        },
        Provocation("notReady", 503) { site in try await site.get("/v1/us/feeds/today", of: try site.unreadPages()) },
        Provocation("imagesOverloaded", 503) { site in
            try await site.get("/v1/images/1/0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10/icon/120x120.png", of: site.busyImages())
        },
        Provocation("uriTooLong", 414) { site in
            try site.refuse(RequestError(.targetTooLong, "a target that is too long"), "GET /v1/us/items")
        },
        malformed("badRequest", .badRequest), malformed("expectationFailed", .expectationFailed),
        malformed("requestHeaderFieldsTooLarge", .headersTooLarge), malformed("notImplemented", .notImplemented),
        malformed("httpVersionNotSupported", .versionNotSupported),
    ]

    /// The feed `today` with a section whose list clients load in place.
    private static let list = AdminSite.today.replacing("\"size\":5", with: "\"size\":5,\"continues\":true")

    /// Publishes this feed, and returns the path of the second part of the list.
    private static func publishedList(_ site: ContractSite) async throws -> String {
        try await site.publish(document: list)
        let part = try await site.get("/v1/us/feeds/today/sections/apps/items?limit=2").json["section"]
        return try #require(part?["next"]?.string)
    }

    /// Returns the problem of a request that the HTTP layer rejects.
    private static func malformed(_ code: String, _ status: Status) -> Provocation {
        Provocation(code, status.rawValue) { site in try site.refuse(RequestError(status, "no request"), "GET /v1/us/items") }
    }

    static let syncing = [
        Provocation("invalidCursor", 400) { site in try await site.get("/v1/us/sync?cursor=x") },
        Provocation("cursorScopeMismatch", 400) { site in
            let cursor = try #require(try await site.get("/v1/us/sync?locale=en").json["cursor"]?.string)
            return try await site.get("/v1/us/sync?locale=es&cursor=\(cursor)")
        },
        Provocation("cursorExpired", 410) { site in
            let other = try site.otherSync(key: 2)
            let cursor = try #require(try await site.get("/v1/us/sync?locale=en", of: other).json["cursor"]?.string)
            return try await site.get("/v1/us/sync?locale=en&cursor=\(cursor)")
        },
        Provocation("tooManyWaiters", 503) { site in try await site.get("/v1/us/sync?wait=5", of: try site.otherSync(waiters: 0)) },
        Provocation("tooManyEntries", 400) { site in
            let more = """
                SELECT pg_temp.top_app('more-' || n, '{"en": "More"}'::jsonb, rating => 4, ratings => n) FROM generate_series(1, 1100) AS n;
                """
            try await site.admin.sql("DISCARD TEMP;" + CatalogRows.functions + more)
            try await site.update()
            return try await site.get("/v1/us/sync/digest?locale=en&bits=0&buckets=0")
        },
    ]
}
