import Feeds
import HTTPMessages
import JSON
import Postgres
import Publishing
import Sync
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of sync", .databaseForEachTest)
struct SyncRouteTests {
    @Test("A client loads a catalog, receives its changes and verifies its digest")
    func catalog() async throws {
        try await SyncSite.run { site in
            let (changes, cursor) = try await site.load("locale=en&limit=4")
            #expect(changes.count == 10 && changes.allSatisfy { $0["op"]?.string == "upsert" && $0["kind"]?.string == "item" })
            #expect(changes.compactMap { $0["data"]?["title"]?.string }.sorted().first == "App 1")
            let head = try await site.json("/v1/us/sync/head")
            #expect(head["entryCount"]?.integer == 10 && head["expiresAfter"]?.string == "P60D")
            try await site.sql(
                "UPDATE items SET deleted_at = now() WHERE slug = 'app-1'; UPDATE items SET rating_count = 100 WHERE slug = 'app-2'")
            let delta = try await site.load("locale=en&cursor=\(cursor)").changes
            #expect(delta.map { $0["op"]?.string } == ["delete", "upsert"] || delta.map { $0["op"]?.string } == ["upsert", "delete"])
            // The meal was never available in the other storefront.
            let german = try await site.json("/v1/de/sync?locale=de")
            #expect(german["changes"]?.count == 8 && german["upToDate"]?.bool == true)
            #expect(german["changes"]?.elements.contains { $0["data"]?["title"]?.string == "Programm 3" } == true)
            #expect(try await site.json("/v1/us/sync/head")["digest"]?.string != head["digest"]?.string)
        }
    }

    @Test("A client loads a feed with its layouts, items, sections and placements, parents first")
    func feed() async throws {
        try await SyncSite.run { site in
            let (changes, _) = try await site.load("feeds=today&locale=es&limit=3")
            let kinds = changes.compactMap { $0["kind"]?.string }
            #expect(Set(kinds) == ["layout", "item", "section", "placement", "feed"])
            #expect(kinds.count == 1 + 5 + 1 + 5 + 1 && kinds.last == "feed")
            let section = try #require(changes.first { $0["kind"]?.string == "section" }?["data"])
            #expect(section["title"]?.string == "Programas" && section["target"]?["platforms"]?.count == 1)
            #expect(section["seeAll"]?["title"]?.string == "All")
            let head = try await site.json("/v1/us/sync/head?feeds=today")
            #expect(head["digest"]?.string == head["feeds"]?["today"]?.string && head["entryCount"]?.integer == 13)
        }
    }

    @Test("A publication in one storefront is a change of its feed there, and of nothing in another storefront")
    func storefronts() async throws {
        try await SyncSite.run { site in
            let (_, cursor) = try await site.load("feeds=today&locale=en")
            func head(_ storefront: String) async throws -> String? {
                try await site.json("/v1/\(storefront)/sync/head?feeds=today")["digest"]?.string
            }
            let (here, there) = (try await head("us"), try await head("de"))
            let page = try await site.json("/v1/de/sync?feeds=today&locale=de&limit=1000")
            let german = try #require(page["cursor"]?.string)
            #expect(page["upToDate"]?.bool == true)
            try await site.sql(
                """
                SELECT vitrine.publish('today', 'takeover', vitrine.save_revision('today', 'night',
                    '{"format": 2, "feed": "today", "title": {"en": "Tonight"}, "sections": []}'), in_storefronts => '{de}')
                """)
            #expect(try await site.load("feeds=today&locale=en&cursor=\(cursor)").changes.isEmpty)
            #expect(try await head("us") == here)
            #expect(try await head("de") != there)
            let delta = try await site.json("/v1/de/sync?feeds=today&locale=de&limit=1000&cursor=\(german)")
            let feeds = delta["changes"]?.elements.filter { $0["kind"]?.string == "feed" } ?? []
            #expect(feeds.count == 1 && feeds.first?["data"]?["title"]?.string == "Tonight", "\(feeds.count)")

            // The cancellation returns the storefront to what it showed before.
            try await site.sql("SELECT vitrine.cancel_publication(max(id)) FROM vitrine.publications")
            #expect(try await head("us") == here)
            #expect(try await site.load("feeds=today&locale=en&cursor=\(cursor)").changes.isEmpty)
        }
    }

    @Test("An invalid cursor is rejected with its cause")
    func cursors() async throws {
        try await SyncSite.run { site in
            let cursor = try await site.load("locale=en").cursor
            #expect(cursor.utf8.count <= 46)
            #expect(try await site.rejection("/v1/us/sync?locale=en&cursor=\(cursor.dropLast())") == "invalidCursor")
            #expect(try await site.rejection("/v1/us/sync?locale=en&cursor=") == "invalidCursor")
            for other in ["us/sync?locale=es", "de/sync?locale=en", "us/sync?locale=en&feeds=today"] {
                #expect(try await site.rejection("/v1/\(other)&cursor=\(cursor)") == "cursorScopeMismatch")
            }
            for limit in ["0", "-1", "many", ""] { #expect(try await site.rejection("/v1/us/sync?limit=\(limit)") == "invalidParameter") }
            #expect(try await site.rejection("/v1/us/sync?wait=61") == "invalidParameter")
            #expect(try await site.rejection("/v1/us/sync?feeds=Today") == "invalidParameter")
            #expect(try await site.rejection("/v1/xx/sync", .notFound) == "unknownStorefront")
            #expect(try await site.json("/v1/us/sync?limit=100000")["changes"]?.count == 10)
        }
    }

    @Test(
        "A page has the requested number of changes, up to the maximum",
        arguments: ["", "&limit=2", "&limit=3", "&limit=4", "&limit=1000"])
    func limits(query: String) async throws {
        try await SyncSite.run(limiting: { $0.maxChanges = 3 }) { site in
            let page = try await site.json("/v1/us/sync?locale=en\(query)")
            #expect(page["changes"]?.count == (query == "&limit=2" ? 2 : 3))
            #expect(try await site.load("locale=en\(query)").changes.count == 10)
        }
    }

    @Test("A feed key that is too long is rejected", arguments: [64, 65])
    func longKeys(count: Int) async throws {
        try await SyncSite.run { site async throws in
            let path = "/v1/us/sync?locale=en&feeds=\(String(repeating: "a", count: count))"
            #expect(try await site.send("GET \(path)").status == (count == 64 ? .ok : .badRequest))
        }
    }

    @Test("An expired cursor gets a resync, which brings the client up to date")
    func expired() async throws {
        try await SyncSite.run { site in
            let cursor = try await site.load("locale=en").cursor
            try await site.sql(
                "UPDATE items SET deleted_at = now() WHERE slug = 'app-1'; UPDATE items SET rating_count = 100 WHERE slug = 'app-2'")
            try await site.sql("SELECT purge_published(interval '0', 100)")
            #expect(try await site.rejection("/v1/us/sync?locale=en&cursor=\(cursor)&wait=1", .gone) == "cursorExpired")
            let response = try await site.send("GET /v1/us/sync?locale=en&cursor=\(cursor)")
            #expect(response.status == .gone && response["retry-after"].count == 1)
            let problem = try JSONDocument(parsing: Array(response.text.utf8)).root
            #expect(problem["reason"]?.string == "tombstonesPurged" && problem["resync"]?["kind"]?.string == "upsertsThenReconcile")
            let next = try #require(problem["resync"]?["cursor"]?.string)
            let delta = try await site.load("locale=en&cursor=\(next)").changes
            #expect(delta.count == 1 && delta[0]["op"]?.string == "upsert")
            let digests = try await site.json(try #require(problem["resync"]?["digest"]?.string))
            #expect(digests["entryCount"]?.integer == 9 && digests["bits"]?.integer == 0)
            let entries = try await site.json("/v1/us/sync/digest?locale=en&bits=1&buckets=0,1")
            #expect(entries["entries"]?.count == 9 && entries["head"]?.integer == digests["head"]?.integer)
            let many = (0...256).map(String.init).joined(separator: ",")
            #expect(try await site.rejection("/v1/us/sync/digest?locale=en&bits=9&buckets=\(many)") == "invalidParameter")
            // Lost versions are told apart from purged ones.
            let ahead = try await site.load("locale=es").cursor
            try await site.connection.runScript(
                "lose", "UPDATE sync_head SET floor = 0, version = version - 1; SELECT begin_epoch(true)", until: .soon)
            site.sync.publish(PublishedHead(epoch: nil, version: -1))
            let forked = try await site.send("GET /v1/us/sync?locale=es&cursor=\(ahead)")
            let reported = try JSONDocument(parsing: Array(forked.text.utf8)).root
            #expect(reported["reason"]?.string == "historyForked" && reported["resync"]?["kind"]?.string == "reconcile")
            let lost = try await site.json("/v1/us/sync/head")["head"]?.integer
            #expect(reported["resync"]?["version"]?.integer == lost && problem["resync"]?["version"] == nil)
        }
    }

    @Test("A page whose cursor has another key has another ETag")
    func tags() async throws {
        try await SyncSite.run { site in
            let (mine, others) = (
                try await site.send("GET /v1/us/sync?locale=en"), try await site.send("GET /v1/us/sync?locale=en", of: site.other)
            )
            #expect(mine.status == .ok && others.status == .ok && mine[.etag] != others[.etag])
        }
    }

    @Test("A page may be cached while it is valid")
    func caches() async throws {
        try await SyncSite.run { site in
            let part = try await site.send("GET /v1/us/sync?locale=en&limit=2")
            #expect(part[.cacheControl] == ["public, max-age=60, stale-while-revalidate=0"] && part[.vary] == ["accept-encoding"])
            let whole = try await site.send("GET /v1/us/sync")
            #expect(whole[.cacheControl] == ["private, max-age=1"] && whole[.vary] == ["accept-encoding, accept-language"])
            let again = try await site.send("GET /v1/us/sync", ["If-None-Match: \(whole[.etag][0])"])
            #expect(again.status == .notModified)
            let refused = try await site.send("GET /v1/us/sync?locale=en", [#"If-Match: "another""#])
            #expect(refused.status == .preconditionFailed && refused[.cacheControl] == ["no-store"])
            let small = try await site.send("GET /v1/us/sync", ["Accept-Encoding: gzip"])
            #expect(small["content-encoding"] == ["gzip"])
            try await site.sql("UPDATE items SET rating_count = 100 WHERE slug = 'app-2'")
            let changed = try await site.send("GET /v1/us/sync", ["If-None-Match: \(whole[.etag][0])"])
            #expect(changed.status == .ok)
        }
    }

    @Test("A publication is announced even if the pages cannot be read")
    func brokenPages() async throws {
        try await SyncSite.run { site in
            try await site.connection.runScript("change", "UPDATE items SET rating_count = 100 WHERE slug = 'app-2'", until: .soon)
            try await site.drain()
            let before = site.sync.waiters.head
            // Nothing after the head can be read.
            try await site.connection.runScript("break", "ALTER TABLE vitrine.published_storefronts RENAME TO lost", until: .soon)
            let error = await #expect(throws: PostgresError.self) {
                try await site.pages.refresh(published: site.sync.publish, PostgresSession(site.connection, within: .seconds(60)))
            }
            #expect(error?.query == "pages.storefronts")
            try await site.connection.runScript("mend", "ALTER TABLE vitrine.lost RENAME TO published_storefronts", until: .soon)
            let head = try await site.json("/v1/us/sync/head")["head"]?.integer
            #expect(site.sync.waiters.head?.version == head && site.sync.waiters.head?.epoch == before?.epoch)
            #expect(before?.version == site.pages.version && before?.version != head)
        }
    }

    @Test("A large page is compressed once for all requests")
    func compressedOnce() async throws {
        try await SyncSite.run { site in
            try await site.sql(
                "SELECT pg_temp.top_app('more-' || n, '{\"en\": \"More\"}'::jsonb, rating => 4, ratings => n) FROM generate_series(1, 300) AS n"
            )
            let sizes = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<30 {
                    group.addTask(executorPreference: site.loop) {
                        try await site.send("GET /v1/us/sync?locale=en&limit=1000", ["Accept-Encoding: gzip"])[.contentEncoding]
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sizes == Array(repeating: ["gzip"], count: 30) && site.application.sideWork.compressionCount == 1)
        }
    }
}
