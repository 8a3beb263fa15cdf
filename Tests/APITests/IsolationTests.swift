import Feeds
import HTTPMessages
import JSON
import Layout
import Sync
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Storefronts without a change", .databaseForEachTest)
struct IsolationTests {
    private static let others = ["de", "gb", "jp", "kw", "us"]

    private static func today(_ title: String = "Today", during: String = "") -> String {
        #"""
        {"format": 2, "feed": "today", "title": {"en": "\#(title)"}, "sections": [
          {"key": "iftar", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}, "size": 3\#(during)},
          {"key": "apps", "title": {"en": "Apps"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
           "seeAll": {"title": {"en": "All"}}}]}
        """#
    }

    /// The bytes of a storefront that clients, caches and copies have.
    private struct Observed: Equatable {
        var responses: [String: [String]] = [:]
        /// The published rows with their versions and ends.
        var rows: [String] = []
        /// The next part of a list, by its cursor.
        var nextPart: [String] = []
        /// The heads and the digests of a copy without the version, which all storefronts share.
        var heads: [String: String] = [:]
        /// The cursors after the first ones, with their version.
        var cursors: [String: String] = [:]
        /// The changes after the first cursors.
        var changes: [String] = []
    }

    /// The cursors of a storefront, which clients keep while another storefront changes.
    private struct Cursors {
        var list = ""
        var sync: [String: String] = [:]
    }

    private static let scopes = ["locale=en", "locale=en&feeds=today", "locale=en&feeds=today&lists=1"]

    private static func scope(_ query: String, _ storefront: String) -> SyncScope {
        SyncScope(
            storefront: storefront, feeds: query.contains("feeds") ? ["today"] : nil, hasLists: query.contains("lists"), locale: .english)
    }

    private func json(_ site: SampleSite, _ path: String) async throws -> JSONNode {
        let response = try await site.send("GET \(path)")
        try #require(response.status == .ok, "\(path): \(response.text)")
        return try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root
    }

    private func cursors(_ site: SampleSite, _ storefront: String) async throws -> Cursors {
        var cursors = Cursors()
        cursors.list = try #require(
            try await json(site, "/v1/\(storefront)/feeds/today/sections/apps/items?locale=en&limit=5")["section"]?["next"]?.string)
        for scope in Self.scopes {
            var cursor = ""
            while true {
                let page = try await json(site, "/v1/\(storefront)/sync?\(scope)\(cursor.isEmpty ? "" : "&cursor=\(cursor)")")
                cursor = try #require(page["cursor"]?.string)
                if page["hasMore"]?.bool != true { break }
            }
            cursors.sync[scope] = cursor
        }
        return cursors
    }

    private func observed(_ site: SampleSite, _ storefront: String, _ cursors: Cursors) async throws -> Observed {
        var observed = Observed()
        for path in ["feeds?locale=en", "feeds/today?locale=en", "feeds/today/sections/apps/items?limit=5&locale=en"] {
            let response = try await site.send("GET /v1/\(storefront)/\(path)")
            observed.responses[path] = ["\(response.status)", response.text] + response[.etag]
        }
        let next = try await site.send("GET \(cursors.list)")
        observed.nextPart = ["\(next.status)", next.text] + next[.etag]
        observed.rows = try await site.rows(
            """
            SELECT concat_ws(' ', kind, id, feed, version, encode(hash, 'hex'), valid_until, gone_at, document) FROM vitrine.published
            WHERE storefront = '\(storefront)' ORDER BY kind, id
            """)
        for (scope, cursor) in cursors.sync {
            for (resource, parameters) in [("head", ""), ("digest", "&bits=4")] {
                var document = JSONValue(try await json(site, "/v1/\(storefront)/sync/\(resource)?\(scope)\(parameters)"))
                try #require(document["head"] != nil)
                document["head"] = nil
                observed.heads["\(resource) \(scope)"] = String(decoding: try document.json(), as: UTF8.self)
            }
            let delta = try await json(site, "/v1/\(storefront)/sync?\(scope)&cursor=\(cursor)")
            observed.cursors[scope] = try site.cursor(
                try #require(delta["cursor"]?.string), withVersionOf: cursor, in: Self.scope(scope, storefront))
            for change in delta["changes"]?.elements.map({ JSONValue($0) }) ?? [] {
                observed.changes.append(String(decoding: try change.json(), as: UTF8.self))
            }
        }
        return observed
    }

    /// Expects that the change is visible in `sa`, and that nothing of the other storefronts changes.
    private func expectChange(_ name: String, _ site: SampleSite, _ change: () async throws -> Void) async throws {
        var cursors: [String: Cursors] = [:]
        var before: [String: Observed] = [:]
        for storefront in Self.others + ["sa"] {
            let own = try await self.cursors(site, storefront)
            cursors[storefront] = own
            before[storefront] = try await observed(site, storefront, own)
            #expect(before[storefront]?.changes == [] && before[storefront]?.cursors == own.sync)
        }
        try await change()
        for storefront in Self.others {
            let after = try await observed(site, storefront, try #require(cursors[storefront]))
            #expect(after.responses == before[storefront]?.responses, "\(name), \(storefront)")
            #expect(after.rows == before[storefront]?.rows, "\(name), \(storefront)")
            #expect(after.heads == before[storefront]?.heads && after.cursors == before[storefront]?.cursors, "\(name), \(storefront)")
            #expect(after == before[storefront], "\(name), \(storefront)")
        }
        let after = try await observed(site, "sa", try #require(cursors["sa"]))
        #expect(after.responses["feeds/today?locale=en"] != before["sa"]?.responses["feeds/today?locale=en"], "\(name)")
        for resource in ["head", "digest"] {
            let key = "\(resource) \(Self.scopes[1])"
            #expect(after.heads[key] != before["sa"]?.heads[key], "\(name), \(key)")
        }
        #expect(!after.changes.isEmpty, "\(name)")
    }

    @Test("A publication, a cancellation and a bound of a section in one storefront change no byte of the others")
    func isolated() async throws {
        try await SampleSite.run { site in
            // Clocks show this time first in Japan, then in Saudi Arabia and Kuwait, and hours later in Europe.
            let document = Self.today(during: #", "during": {"from": "2131-02-08T18:00", "until": "2131-02-09T03:30"}"#)
            try await site.publish(try FeedDocument(parsing: Array(document.utf8)))
            try await site.sql("UPDATE vitrine.storefronts SET time_zone = 'Europe/Moscow' WHERE key = 'sa'")
            try await site.sql("UPDATE vitrine.storefronts SET time_zone = 'Asia/Dubai' WHERE key = 'kw'")
            try await site.update()

            let night = String(
                decoding: try FeedDocument(parsing: Array(Self.today("Tonight").utf8)).canonical(), as: UTF8.self)
            try await expectChange("publication", site) {
                try await site.sql(
                    """
                    SELECT vitrine.publish('today', 'takeover', vitrine.save_revision('today', 'night', $feed$\(night)$feed$), NULL,
                        vitrine.instant_text(now() + interval '1 hour'), '{sa}')
                    """)
                try await site.update()
            }
            try await expectChange("cancellation", site) {
                try await site.sql("SELECT vitrine.cancel_publication(max(id)) FROM vitrine.publications")
                try await site.update()
            }
            for (name, bound) in [("start", "2131-02-08T15:00:00Z"), ("end", "2131-02-09T00:30:00Z")] {
                let seconds = try await site.rows("SELECT extract(epoch FROM '\(bound)' - now())::bigint::text")
                let ahead = try #require(seconds.first.flatMap { Int($0) })
                try await site.update(ahead: .seconds(ahead - 60))
                try await expectChange(name, site) { try await site.update(ahead: .seconds(ahead + 60)) }
            }
        }
    }
}
