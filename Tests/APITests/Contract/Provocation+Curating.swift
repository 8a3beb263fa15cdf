import Access
import Catalog
import EventLoop
import HTTPMessages
import Items
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

extension Provocation {
    private static let feed = ContractSite.feed
    private static let tokens = "/admin/v1/tokens"
    private static let unknown = AccessToken(random: Array(0..<42))

    static let curating = [
        Provocation("missingToken", 401) { site in try await site.admin.send("GET \(tokens)") },
        Provocation("invalidToken", 401) { site in try await site.admin.send("GET \(tokens)", unknown, from: "192.0.2.7") },
        Provocation("tooManyInvalidTokens", 429) { site in
            _ = try await site.admin.send("GET \(tokens)", unknown, from: "192.0.2.8")
            return try await site.admin.send("GET \(tokens)", unknown, from: "192.0.2.8")
        },
        Provocation("insufficientScope", 403) { site in try await site.admin.send("GET \(tokens)", try await site.admin.token(.read)) },
        Provocation("missingPrecondition", 428) { site in try await site.curate("PUT \(feed)/draft", body: AdminSite.today) },
        Provocation("stale", 412) { site in try await site.curate("PUT \(feed)/draft", [#"If-Match: "x""#], body: AdminSite.today) },
        Provocation("invalidIdempotencyKey", 400) { site in
            try await site.curate("PUT \(feed)/draft", ["If-Match: *", "Idempotency-Key: a b"], body: AdminSite.today)
        },
        Provocation("idempotencyKeyReused", 422) { site in
            let fields = ["If-Match: *", "Idempotency-Key: once"]
            _ = try await site.curate("PUT \(feed)/draft", fields, body: AdminSite.today)
            return try await site.curate("PUT \(feed)/draft", fields, body: AdminSite.today.replacing("Today", with: "Tonight"))
        },
        Provocation("idempotencyKeyInUse", 409) { site in
            let (line, fields) = ("PUT /admin/v1/feeds/held/draft", ["If-None-Match: *", "Idempotency-Key: held"])
            let body = AdminSite.today.replacing("\"today\"", with: "\"held\"")
            return try await site.admin.pool.withConnection(until: .soon) { connection in
                // The change waits for this transaction's lock of the feed.
                try await connection.runScript("hold", "BEGIN; INSERT INTO vitrine.feeds VALUES ('held')", until: .soon)
                async let first = site.curate(line, fields, body: body)
                try await wait(while: try await site.admin.rows(LockWaits.sql).isEmpty)
                let second = try await site.curate(line, fields, body: body)
                try await connection.runScript("release", "ROLLBACK", until: .soon)
                _ = try await first
                return second
            }
        },
        Provocation("tokenNameTaken", 409) { site in try await site.curate("POST \(tokens)", body: #"{"name":"anna","scope":"read"}"#) },
        Provocation("invalidTokenName", 422) { site in try await site.curate("POST \(tokens)", body: #"{"name":" x","scope":"read"}"#) },
        Provocation("invalidTokenLifetime", 422) { site in
            try await site.refusing("tokens", "23514", "tokens_expires_at_check") {
                try await site.curate("POST \(tokens)", body: #"{"name":"brief","scope":"read","lifetimeSeconds":60}"#)
            }
        },
        Provocation("unknownToken", 404) { site in try await site.curate("GET \(tokens)/\(UUID(high: 1, low: 1))") },
        Provocation("requestTimeout", 408) { site in
            try site.refuse(RequestError(.requestTimeout, "the body did not arrive in time"), "PUT \(feed)/draft")
        },
        Provocation("contentTooLarge", 413) { site in
            try site.refuse(RequestError(.contentTooLarge, "a body that is too large"), "PUT \(feed)/draft")
        },
        Provocation("adminOverloaded", 503) { site in
            let limiter = site.admin.service.limiter(of: site.admin.pool)
            let admitted = (0..<3).map { _ in PermitHolder(limiter) }
            for holder in admitted { await holder.waitUntilAdmitted() }
            let waiting = (0..<16).map { _ in PermitHolder(limiter) }
            while limiter.waiting < 16 { try await site.admin.pool.loop.sleep(until: .after(.milliseconds(1)), named: "until all wait") }
            let response = try await site.curate("GET /admin/v1/feeds")
            for holder in admitted + waiting { holder.release.yield() }
            for holder in admitted + waiting { try await holder.task.value }
            return response
        },
    ]

    static let publishing = [
        Provocation("noPreviousRevision", 409) { site in
            let tag = try await site.curate("GET \(feed)").tag
            return try await site.curate("POST \(feed):rollback", ["If-Match: \(tag)"])
        },
        Provocation("unknownFeed", 404) { site in try await site.curate("GET /admin/v1/feeds/none") },
        Provocation("unknownDraft", 404) { site in try await site.curate("GET \(feed)/draft?line=night") },
        Provocation("unknownRevision", 404) { site in try await site.curate("GET \(feed)/revisions/9") },
        Provocation("unknownPublication", 404) { site in try await site.curate("GET \(feed)/publications/9") },
        Provocation("unknownSection", 404) { site in try await site.curate("GET \(feed)/sections/none") },
        Provocation("invalidDocument", 422) { site in try await site.curate("PUT \(feed)/draft", ["If-Match: *"], body: "{") },
        Provocation("feedMismatch", 422) { site in
            try await site.curate("PUT \(feed)/draft", ["If-Match: *"], body: AdminSite.today.replacing("\"today\"", with: "\"games\""))
        },
        Provocation("sectionMismatch", 422) { site in
            let section = #"{"key":"other","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"size":3}"#
            return try await site.curate("PUT \(feed)/sections/top", ["If-Match: *"], body: section)
        },
        Provocation("documentTooLarge", 422) { site in
            try await site.refusing("revisions", "23514", "revisions_document_check") {
                try await site.curate("PUT \(feed)/draft", ["If-Match: *"], body: AdminSite.today.replacing("Today", with: "Large"))
            }
        },
        Provocation("startInPast", 422) { site in try await site.publish(#"{"revision":1,"from":"2001-01-01T00:00:00Z"}"#) },
        Provocation("unknownStorefronts", 422) { site in try await site.publish(#"{"revision":1,"storefronts":["zz"]}"#) },
        Provocation("invalidEnd", 422) { site in
            try await site.publish(
                #"{"revision":1,"layer":"takeover","from":"2099-01-02T00:00:00Z","until":"2099-01-01T00:00:00Z"}"#)
        },
        Provocation("publicationEnded", 409) { site in
            let running = try await site.publish(#"{"revision":1,"layer":"takeover"}"#)
            let path = try #require(running[.location].first)
            let ended = try await site.curate("DELETE \(path)", ["If-Match: \(running.tag)"])
            return try await site.curate("DELETE \(path)", ["If-Match: \(ended.tag)"])
        },
        Provocation("publicationOverlap", 409) { site in
            let night = #"{"revision":1,"layer":"takeover","from":"2099-03-06T18:00:00Z","until":"2099-03-06T23:00:00Z"}"#
            try await site.publish(night)
            return try await site.publish(night)
        },
        Provocation("localBase", 409) { site in
            try await site.publish(#"{"revision":1,"storefronts":["us"]}"#)
            let rejected = try await site.publish(#"{"revision":1}"#)
            try await site.publish(#"{"revision":1,"replaceLocal":true}"#)
            return rejected
        },
        Provocation("reviewFailed", 422) { site in
            let broken = AdminSite.today.replacing("app-9", with: "app-99")
            let saved = try await site.curate("PUT \(feed)/draft", ["If-Match: *"], body: broken)
            let revision = try #require(try saved.json["revision"]?.integer)
            return try await site.publish(#"{"revision":\#(revision)}"#)
        },
        Provocation("unsupportedRevision", 409) { site in
            try await site.admin.sql(
                """
                INSERT INTO vitrine.revisions (feed, number, line, document)
                SELECT feed, 90, 'later', replace(document, '"sections"', '"later":{},"sections"') FROM vitrine.revisions
                WHERE feed = 'today' AND number = 1
                """)
            return try await site.publish(#"{"revision":90}"#)
        },
        Provocation("feedArchived", 409) { site in
            let tag = try await site.curate("GET \(feed)").tag
            _ = try await site.curate("POST \(feed):archive", ["If-Match: \(tag)"])
            return try await site.curate("PUT \(feed)/draft", ["If-Match: *"], body: AdminSite.today)
        },
    ]
}
