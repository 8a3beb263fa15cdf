import Catalog
import EventLoop
import Feeds
import Glibc
import HTTPMessages
import Host
import Items
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import Sync
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of sync", .databaseForEachTest)
struct SyncRouteTests {
    private static let catalog = """
        SELECT pg_temp.top_app('app-' || n, format('{"en": "App %s", "de": "Programm %s"}', n, n)::jsonb, rating => 4, ratings => n)
        FROM generate_series(1, 9) AS n;
        SELECT pg_temp.food_app('ramen', '{"en": "Ramen"}', storefront => 'us', rating => 4, ratings => 10);
        SELECT vitrine.derive_items(1000);
        """

    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "apps", "title": {"en": "Apps", "es": "Programas"}, "header": false, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 5,
           "target": {"platforms": ["ios"]}, "seeAll": {"title": {"en": "All"}, "size": 5}}]}
        """#

    private struct Site: Sendable {
        let connection: PostgresConnection
        let pages: PageService
        let sync: SyncService
        let application: Application
        /// The same routes with another cursor key.
        let other: Application
        let sequencer: Locked<Sequencer>
        let loop: EventLoop
        /// The number of connections that the routes have requested.
        let reads: Locked<Int>

        func send(_ line: String, _ fields: [String] = [], of other: Application? = nil) async throws -> Response {
            let request = Request(
                head: try head(line, fields), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .soon)
            return try await (other ?? application).send(request, on: loop)
        }

        func json(_ path: String) async throws -> JSONNode {
            let response = try await send("GET \(path)")
            #expect(response.status == .ok, "\(path): \(response.text)")
            return try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root
        }

        /// Returns the problem code of a rejected request, checked against the OpenAPI document.
        func rejection(_ path: String, _ status: Status = .badRequest) async throws -> String? {
            let response = try await send("GET \(path)")
            #expect(response.status == status, "\(path): \(response.text)")
            #expect(response[.cacheControl] == ["no-store"])
            return try JSONDocument(parsing: Array(response.text.utf8)).root["code"]?.string
        }

        func sql(_ script: String) async throws {
            try await connection.runScript("change", script, until: .soon)
            try await update()
        }

        func update() async throws {
            try await drain()
            try await refresh()
        }

        /// Reads the published changes.
        func refresh() async throws {
            _ = try await pages.refresh(published: sync.publish, PostgresSession(connection, within: .seconds(60)))
        }

        /// Marks the head as the sequencer does while committed transactions wait, and after the last of them.
        func setHead(isComplete: Bool) async throws {
            let query =
                isComplete
                ? PostgresQuery(NamedQuery("sequencer.set_complete"))
                : PostgresQuery("set_incomplete", "UPDATE sync_head SET is_complete = false")
            _ = try await connection.run(query, until: .soon)
            try await refresh()
        }

        /// Runs a body with the events of a stream, which ends with the body or after a minute.
        func streaming(
            _ query: String, _ fields: [String] = [], _ body: (AsyncStream<String>) async throws -> Void
        ) async throws {
            let response = try await send("GET /v1/us/sync/stream?\(query)", fields)
            guard case .stream(_, let write) = response.body else {
                Issue.record("\(response.text)")
                return
            }
            let (events, writer) = AsyncStream.makeStream(of: String.self)
            let task = Task(executorPreference: loop) {
                defer { writer.finish() }
                try await write(BodyWriter { bytes in writer.yield(String(decoding: bytes, as: UTF8.self)) })
            }
            let end = Task(executorPreference: loop) {
                do throws(EventLoopError) { try await loop.sleep(until: .soon) } catch { return }
                task.cancel()
            }
            let result: Result<Void, any Error>
            do { result = .success(try await body(events)) } catch { result = .failure(error) }
            end.cancel()
            task.cancel()
            _ = await (task.result, end.value)
            try result.get()
        }

        func drain() async throws {
            var drained = sequencer.withLock { $0 }
            let session = PostgresSession(connection, within: .seconds(60))
            _ = try await drained.drain(session)
            let retained = drained
            sequencer.withLock { $0 = retained }
        }

        /// Returns all changes of a scope, and the cursor after them.
        func load(_ query: String) async throws -> (changes: [JSONNode], cursor: String) {
            var changes: [JSONNode] = []
            var cursor = ""
            while true {
                let page = try await json("/v1/us/sync?\(query)\(cursor.isEmpty ? "" : "&cursor=\(cursor)")")
                changes += page["changes"]?.elements.map { $0 } ?? []
                cursor = try #require(page["cursor"]?.string)
                if page["hasMore"]?.bool == false { return (changes, cursor) }
            }
        }
    }

    private func run(
        waiters: Int = 10, limiting limit: (inout SyncService.Limits) -> Void = { _ in },
        _ body: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        var limits = SyncService.Limits(maxWaiting: waiters, retention: .seconds(60 * 86_400))
        limit(&limits)
        let sequencer = Sequencer(
            ruleTime: .seconds(30), hashedBy: Digest.sha256)
        let pages = PageService(
            screens: try ScreenMatrix.builtIn(), now: { .epoch })
        let key = try #require(HMACKey(Array(repeating: 7, count: 32)))
        let codec = CursorCodec([.init(id: 1) { key.code(of: $0) }], areEqual: { HMACKey.areEqual($0, $1) })
        try await withPool { [limits] pool in
            let reads = Locked(0)
            try await pool.withConnection(until: .soon) { connection in
                let sync = SyncService(
                    pages: pages, codec: codec, limits: limits,
                    pool: { _ in
                        reads.withLock { $0 += 1 }
                        return pool
                    })
                let application = Application(Route.sync(sync))
                let otherCodec = CursorCodec([.init(id: 2) { key.code(of: $0) }], areEqual: { HMACKey.areEqual($0, $1) })
                let other = Application(
                    Route.sync(SyncService(pages: pages, codec: otherCodec, pool: { _ in pool })))
                try await connection.runScript(
                    "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + Self.catalog, until: .soon)
                let feed = try FeedDocument(parsing: Array(Self.today.utf8))
                let query = PostgresQuery(
                    "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))::text", feed.key.text,
                    String(decoding: feed.canonical(), as: UTF8.self))
                _ = try await connection.run(query, until: .soon)
                let site = Site(
                    connection: connection, pages: pages, sync: sync, application: application, other: other, sequencer: Locked(sequencer),
                    loop: pool.loop, reads: reads)
                try await site.update()
                try await body(site)
            }
        }
    }

    @Test("A client loads a catalog, receives its changes and verifies its digest")
    func catalog() async throws {
        try await run { site in
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
        try await run { site in
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
        try await run { site in
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
        try await run { site in
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

    @Test("A list has as many whole buckets as fit, and the position of the others")
    func pagedBuckets() async throws {
        try await run(limiting: { $0.maxEntries = 40 }) { site in
            try await site.sql(
                "SELECT pg_temp.top_app('more-' || n, '{\"en\": \"More\"}'::jsonb, rating => 4, ratings => n) FROM generate_series(1, 110) AS n"
            )
            for query in ["locale=en", "locale=en&feeds=today"] {
                let digests = try await site.json("/v1/us/sync/digest?\(query)")
                let buckets = (0..<16).map(String.init).joined(separator: ",")
                var next: String? = "/v1/us/sync/digest?\(query)&bits=4&buckets=\(buckets)"
                var ids: Set<String> = []
                var listed: [Int] = []
                while let path = next {
                    let list = try await site.json(path)
                    #expect(list["entries"]?.count ?? .max <= 40)
                    ids.formUnion(list["entries"]?.elements.compactMap { entry in entry["id"]?.string } ?? [])
                    listed += list["listedBuckets"]?.elements.compactMap { $0.integer } ?? []
                    next = list["next"]?.string
                }
                #expect(listed == Array(0..<16) && ids.count == digests["entryCount"]?.integer, "\(query)")
            }
            #expect(try await site.rejection("/v1/us/sync/digest?locale=en&bits=0&buckets=0") == "tooManyEntries")
        }
    }

    @Test("A list has at most the maximum number of entries, and a bucket with one more is rejected", arguments: [(9, true), (10, false)])
    func fullBucket(maximum: Int, isRefused: Bool) async throws {
        try await run(limiting: { $0.maxEntries = maximum }) { site async throws in
            let path = "/v1/us/sync/digest?locale=en&bits=0&buckets=0"
            if isRefused {
                #expect(try await site.rejection(path) == "tooManyEntries")
            } else {
                #expect(try await site.json(path)["entries"]?.count == 10)
            }
        }
    }

    @Test(
        "A page has the requested number of changes, up to the maximum",
        arguments: ["", "&limit=2", "&limit=3", "&limit=4", "&limit=1000"])
    func limits(query: String) async throws {
        try await run(limiting: { $0.maxChanges = 3 }) { site in
            let page = try await site.json("/v1/us/sync?locale=en\(query)")
            #expect(page["changes"]?.count == (query == "&limit=2" ? 2 : 3))
            #expect(try await site.load("locale=en\(query)").changes.count == 10)
        }
    }

    @Test(
        "The entries of buckets are read next to the event loop, with a limit of concurrent lists", .onOwnThread,
        arguments: ["", "&feeds=today"])
    func busyLists(feeds: String) async throws {
        try await run { site in
            let path = "/v1/us/sync/digest?locale=en\(feeds)&bits=0&buckets=0"
            let mayEnd = Locked(false)
            let sideWork = site.application.sideWork
            let others = (0..<8).map { _ in
                Task(executorPreference: site.loop) {
                    try await sideWork.run(for: site.loop) {
                        let end = ContinuousClock.now + .seconds(30)
                        while !mayEnd.withLock({ $0 }), ContinuousClock.now < end { sched_yield() }
                        return true
                    }
                }
            }
            defer { mayEnd.withLock { $0 = true } }
            // The other requests keep the threads of the common pool busy, which `Task.sleep` needs.
            try await Task(executorPreference: site.loop) { [loop = site.loop] in
                let end = Deadline.soon
                while sideWork.count(for: loop) < others.count {
                    try #require(Deadline.now < end)
                    try await loop.sleep(until: .after(.milliseconds(1)))
                }
            }.value
            let refused = try await site.rejection(path, .unavailable)
            mayEnd.withLock { $0 = true }
            #expect(refused == "tooManyWaiters")
            for other in others { #expect(try await other.value == true) }
            #expect(try await site.json(path)["entries"]?.count == (feeds.isEmpty ? 10 : 13))
        }
    }

    @Test("Digests are read once a second for any number of buckets")
    func foldedDigests() async throws {
        try await run { site in
            for query in ["locale=en", "locale=en&feeds=today"] {
                var (began, reads) = (0, 0)
                // They are read again every second, so retry if the second has changed.
                repeat {
                    site.sync.responses.removeAll()
                    site.sync.digests.removeAll()
                    began = site.sync.second
                    reads = site.reads.withLock { $0 }
                    for bits in 0...3 {
                        let digests = try await site.json("/v1/us/sync/digest?\(query)&bits=\(bits)")
                        #expect(digests["bits"]?.integer == bits && digests["entryCount"]?.integer == (query == "locale=en" ? 10 : 13))
                    }
                } while site.sync.second != began
                #expect(site.reads.withLock { $0 } == reads + 1, "\(query)")
            }
        }
    }

    @Test("A feed key that is too long is rejected", arguments: [64, 65])
    func longKeys(count: Int) async throws {
        try await run { site async throws in
            let path = "/v1/us/sync?locale=en&feeds=\(String(repeating: "a", count: count))"
            #expect(try await site.send("GET \(path)").status == (count == 64 ? .ok : .badRequest))
        }
    }

    @Test("An expired cursor gets a resync, which brings the client up to date")
    func expired() async throws {
        try await run { site in
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

    @Test("A waiting request returns with changes, or without them at its deadline")
    func waiting() async throws {
        try await run { site in
            let cursor = try await site.load("locale=en").cursor
            let began = ContinuousClock.now
            let waker = Task(executorPreference: site.loop) { await site.sync.wakeWaiters(on: site.loop) }
            let empty = try await site.json("/v1/us/sync?locale=en&cursor=\(cursor)&wait=1")
            #expect(empty["changes"]?.count == 0 && empty["upToDate"]?.bool == true)
            #expect(began.duration(to: .now) >= .milliseconds(900))
            let vain = try await site.send("GET /v1/us/sync?locale=en&cursor=\(cursor)&wait=1")
            #expect(vain[.cacheControl] == ["no-store"])
            // A request that does not wait returns even if no task wakes waiters.
            waker.cancel()
            await waker.value
            let now = try await site.send("GET /v1/us/sync?locale=en&cursor=\(cursor)")
            #expect(now.status == .ok && now[.cacheControl] == ["public, max-age=1, stale-while-revalidate=0"])
            let next = Task(executorPreference: site.loop) { await site.sync.wakeWaiters(on: site.loop) }
            let asked = ContinuousClock.now
            async let first = site.json("/v1/us/sync?locale=en&cursor=\(cursor)&wait=30")
            async let second = site.json("/v1/us/sync?locale=en&cursor=\(cursor)&wait=30")
            await wait(while: site.sync.waiting < 2)
            try await site.sql("UPDATE items SET rating_count = 100 WHERE slug = 'app-2'")
            let (one, two) = (try await first, try await second)
            #expect(one["changes"]?.count == 1 && two["cursor"]?.string == one["cursor"]?.string)
            // A request that waits until its deadline takes longer, on any machine.
            #expect(asked.duration(to: .now) < .seconds(29))
            #expect(site.sync.waiting == 0)
            // A request that waits when the server stops gets its own cursor.
            let after = try #require(one["cursor"]?.string)
            async let last = site.json("/v1/us/sync?locale=en&cursor=\(after)&wait=30")
            await wait(while: site.sync.waiting < 1)
            site.sync.startShutdown()
            #expect(try await last["cursor"]?.string == after)
            #expect(try await site.rejection("/v1/us/sync?locale=en&cursor=\(after)&wait=30", .unavailable) == "tooManyWaiters")
            next.cancel()
            await next.value
        }
    }

    @Test(
        "Clients of a scope cost one query for a publication, whatever their cursors and limits are, and get the page of the database",
        arguments: ["locale=en", "feeds=today&locale=en"])
    func oneQuery(scope: String) async throws {
        try await run(waiters: 20) { site in
            var cursors = [try await site.load(scope).cursor]
            for change in [
                "UPDATE items SET rating_count = 100 WHERE slug = 'app-7'", "DELETE FROM items WHERE slug = 'app-8'",
                "UPDATE items SET rating_count = 90 WHERE slug = 'app-9'",
            ] {
                try await site.sql(change)
                let page = try await site.json("/v1/us/sync?\(scope)&cursor=\(cursors[0])")
                cursors.append(try #require(page["cursor"]?.string))
            }
            let path = "/v1/us/sync?\(scope)&cursor=\(cursors[3])"
            let polls = (200..<210).map { limit in
                Task(executorPreference: site.loop) { try await site.send("GET \(path)&limit=\(limit)&wait=60").text }
            }
            await wait(while: site.sync.waiting < 10)
            // A poll that has just been admitted has yet to read its first page.
            await wait(while: site.sync.responses.count < 11)
            let before = site.reads.withLock { $0 }
            try await site.sql("UPDATE items SET rating_count = rating_count + 1")
            var received: [String: String] = [:]
            for (limit, poll) in zip(200..<210, polls) { received["\(path)&limit=\(limit)"] = try await poll.value }
            for cursor in cursors {
                for limit in 1...4 {
                    let path = "/v1/us/sync?\(scope)&cursor=\(cursor)&limit=\(limit)"
                    received[path] = try await site.send("GET \(path)").text
                }
            }
            #expect(site.reads.withLock { $0 } == before + 1)
            for (path, text) in received {
                // A server that has read nothing before.
                let fresh = SyncService(pages: site.pages, codec: site.sync.codec, limits: site.sync.limits, pool: site.sync.pool)
                #expect(try await site.send("GET \(path)", of: Application(Route.sync(fresh))).text == text, "\(path)")
            }
            #expect(site.reads.withLock { $0 } == before + 1 + received.count)
        }
    }

    @Test("A new epoch is noticed by a server that has changes in memory")
    func epochOfTail() async throws {
        try await run { site in
            var cursors = [try await site.load("locale=en").cursor]
            for _ in 0..<2 {
                try await site.sql("UPDATE items SET rating_count = rating_count + 1 WHERE slug = 'app-2'")
                let page = try await site.json("/v1/us/sync?locale=en&cursor=\(cursors[0])")
                cursors.append(try #require(page["cursor"]?.string))
            }
            #expect(site.sync.tails.count == 1)
            try await site.connection.runScript(
                "lose", "UPDATE sync_head SET version = version - 1; SELECT begin_epoch(true)", until: .soon)
            site.sync.publish(PublishedHead(epoch: nil, version: -1))
            #expect(try await site.rejection("/v1/us/sync?locale=en&cursor=\(cursors[2])", .gone) == "cursorExpired")
            #expect(try await site.json("/v1/us/sync?locale=en&cursor=\(cursors[0])")["upToDate"]?.bool == true)
        }
    }

    @Test("The number of waiting requests is limited")
    func tooMany() async throws {
        try await run(waiters: 0) { site in
            let response = try await site.send("GET /v1/us/sync?wait=5")
            #expect(response.status == .unavailable && Int(response["retry-after"].first ?? "").map { (5...30).contains($0) } == true)
            #expect(try await site.json("/v1/us/sync?wait=0")["upToDate"]?.bool == true)
        }
    }

    @Test("Streams count toward the limit of waiting requests")
    func tooManyStreams() async throws {
        try await run(waiters: 1) { site in
            do {
                let first = try await site.send("GET /v1/us/sync/stream?locale=en")
                guard case .stream = first.body else {
                    Issue.record("\(first.text)")
                    return
                }
                #expect(site.sync.waiting == 1)
                #expect(try await site.rejection("/v1/us/sync/stream?locale=en", .unavailable) == "tooManyWaiters")
                #expect(try await site.rejection("/v1/us/sync?wait=5", .unavailable) == "tooManyWaiters")
            }
            // The stream was never started.
            #expect(site.sync.waiting == 0)
        }
    }

    @Test("Only streams read a cursor from the `Last-Event-ID` header")
    func lastEvent() async throws {
        try await run { site in
            for path in ["sync", "sync/head", "sync/digest"] {
                let response = try await site.send("GET /v1/us/\(path)?locale=en", ["Last-Event-ID: x"])
                #expect(response.status == .ok)
            }
        }
    }

    @Test("A publication is announced even if the pages cannot be read")
    func brokenPages() async throws {
        try await run { site in
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

    @Test("A page whose cursor has another key has another ETag")
    func tags() async throws {
        try await run { site in
            let (mine, others) = (
                try await site.send("GET /v1/us/sync?locale=en"), try await site.send("GET /v1/us/sync?locale=en", of: site.other)
            )
            #expect(mine.status == .ok && others.status == .ok && mine[.etag] != others[.etag])
        }
    }

    @Test("A page may be cached while it is valid")
    func caches() async throws {
        try await run { site in
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

    @Test("A head that became complete is reported to a reconnecting and to an open stream")
    func completedStreams() async throws {
        try await run { site in
            let cursor = try await site.load("locale=en").cursor
            try await site.setHead(isComplete: false)
            let page = try await site.json("/v1/us/sync?locale=en&cursor=\(cursor)")
            #expect(page["upToDate"]?.bool == false && page["hasMore"]?.bool == false)
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                // Nothing is sent before the head is complete.
                try await site.setHead(isComplete: true)
                let event = try #require(await events.first { _ in true })
                #expect(event.hasPrefix("event: changes\nid: ") && event.contains("\"upToDate\":true"))
                #expect(event.contains("\"changes\":[]"))
            }
            // This client left before the head was complete.
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                try await site.sql("UPDATE items SET rating_count = 100 WHERE slug = 'app-2'")
                let event = try #require(await events.first { _ in true })
                #expect(event.contains("\"upToDate\":true") && event.contains("\"changes\":[]"))
                #expect(try #require(await events.first { _ in true }).contains("\"op\":\"upsert\""))
            }
        }
    }

    @Test("A waiting request returns as soon as the head is complete, even without changes")
    func completedPoll() async throws {
        try await run { site in
            let waker = Task(executorPreference: site.loop) { await site.sync.wakeWaiters(on: site.loop) }
            let path = "/v1/us/sync?locale=en&cursor=\(try await site.load("locale=en").cursor)"
            try await site.setHead(isComplete: false)
            // The request starts from this page, however soon the head is complete.
            #expect(try await site.json(path)["upToDate"]?.bool == false)
            let uses = site.sync.responses.uses
            let began = ContinuousClock.now
            async let poll = site.json("\(path)&wait=60")
            await wait(while: site.sync.responses.uses == uses)
            try await site.setHead(isComplete: true)
            let response = try await poll
            #expect(response["upToDate"]?.bool == true && response["changes"]?.count == 0)
            #expect(began.duration(to: .now) < .seconds(59))
            waker.cancel()
            await waker.value
        }
    }

    @Test("A large page is compressed once for all requests")
    func compressedOnce() async throws {
        try await run { site in
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

    @Test("A stream and a poll of a storefront that is closed end with the problem of a request for it")
    func closing() async throws {
        try await run { site in
            let cursor = try await site.load("locale=en").cursor
            async let polled = site.send("GET /v1/us/sync?locale=en&wait=60&cursor=\(cursor)")
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                #expect(try #require(await events.first { _ in true }).contains("\"upToDate\":true"))
                while site.sync.waiting < 2 { try await site.loop.sleep(until: .after(.milliseconds(1)), named: "until both wait") }
                // Only the storefront changes: nothing is published.
                try await site.connection.runScript("close", "UPDATE storefronts SET closed_at = now() WHERE key = 'us'", until: .soon)
                try await site.refresh()
                var rest: [String] = []
                for await event in events { rest.append(event) }
                #expect(rest.count == 1 && rest[0].hasPrefix("event: gone\n") && rest[0].contains("\"code\":\"unknownStorefront\""))
            }
            let reply = try await polled
            #expect(reply.status == .notFound && reply.text.contains("unknownStorefront"), "\(reply.text)")
        }
    }

    /// Each app and the meal, in a feed that shows all of them.
    private static let all = #"""
        {"format": 2, "feed": "all", "title": {"de": "Alles", "es": "Todo"}, "sections": [
          {"key": "apps", "title": {"de": "Programme", "es": "Programas"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 20},
          {"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}, "size": 20}]}
        """#

    private struct Form: Equatable {
        /// The items by ID, without their IDs.
        var items: [String: [String: JSONValue]] = [:]
        var title: String?
        var titles: [String: String] = [:]

        /// Reads a page.
        init(page: JSONNode) {
            title = page["title"]?.string
            for item in page["items"].map({ Array($0.members) }) ?? [] { items[item.key] = Self.members(of: item.value) }
            for section in page["sections"].map({ Array($0.elements) }) ?? [] {
                if let id = section["id"]?.string { titles[id] = section["title"]?.string }
            }
        }

        /// Reads the changes of a load.
        init(changes: [JSONNode]) {
            for change in changes {
                guard let id = change["id"]?.string, let data = change["data"] else { continue }
                switch change["kind"]?.string {
                case "item": items[id] = Self.members(of: data).filter { $0.key != "id" }
                case "feed": title = data["title"]?.string
                case "section": titles[id] = data["title"]?.string
                default: continue
                }
            }
        }

        private static func members(of node: JSONNode) -> [String: JSONValue] {
            Dictionary(node.members.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { $1 })
        }
    }

    /// Publishes the feed with all items, two of which have no English title and the age 6.
    private func prepare(_ site: Site, _ script: String = "") async throws {
        let feed = String(decoding: try FeedDocument(parsing: Array(Self.all.utf8)).canonical(), as: UTF8.self)
        try await site.sql(
            """
            SELECT vitrine.publish('all', 'base', vitrine.save_revision('all', 'main', $feed$\(feed)$feed$));
            SELECT pg_temp.top_app('solo', '{"de": "Nur", "es": "Solo"}', rating => 4, ratings => 10);
            SELECT vitrine.derive_items(1000);
            BEGIN;
            INSERT INTO item_age_ratings SELECT item_id, 'usk', '6' FROM item_age_ratings WHERE item_id = md5('solo')::uuid;
            DELETE FROM item_age_ratings WHERE item_id = md5('solo')::uuid AND scheme = 'apple-2015';
            COMMIT;
            \(script)
            """)
    }

    @Test(
        "After a change of a storefront, a copy is loaded again and equals a fresh page",
        arguments: [
            ("", "UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us'"),
            ("", "UPDATE storefronts SET time_zone = 'America/Chicago' WHERE key = 'us'"),
            ("", "UPDATE storefronts SET default_locale = 'es' WHERE key = 'us'"),
            ("", "UPDATE storefronts SET currency = 'CAD' WHERE key = 'us'"),
            // The age of a label, the label that covers an age, a new label that covers it, and the age by which it is covered.
            ("", "UPDATE rating_labels SET minimum_age = 5 WHERE (scheme, label) = ('apple-2015', '4+')"),
            ("", "UPDATE rating_labels SET minimum_age = 7 WHERE (scheme, label) = ('apple-2015', '9+')"),
            ("UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us';", "INSERT INTO rating_labels VALUES ('usk', '5', 5)"),
            ("", "UPDATE rating_labels SET minimum_age = 11 WHERE (scheme, label) = ('usk', '6')"),
        ])
    func storefrontForm(before script: String, change: String) async throws {
        try await run { site in
            try await prepare(site, script)
            let pages = Application(Route.pages(site.pages))
            func page() async throws -> (form: Form, tag: [String]) {
                let response = try await pages.send("GET /v1/us/feeds/all?locale=en")
                #expect(response.status == .ok)
                return (Form(page: try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root), response[.etag])
            }
            let (form, tag) = try await page()
            var copies: [String: (form: Form, cursor: String)] = [:]
            for scope in ["locale=en", "feeds=all&locale=en"] {
                let copy = try await site.load(scope)
                copies[scope] = (Form(changes: copy.changes), copy.cursor)
                #expect(copies[scope]?.form.items == form.items)
            }
            let digest = try await site.json("/v1/us/sync/head?locale=en")["digest"]?.string
            let german = try #require(try await site.json("/v1/de/sync?locale=de")["cursor"]?.string)
            // Only the sequencer knows the change. A server that has not read it yet sends no page in a mixed form.
            try await site.connection.runScript("change", change, until: .soon)
            try await site.drain()
            for (scope, copy) in copies {
                let response = try await site.send("GET /v1/us/sync?\(scope)&cursor=\(copy.cursor)")
                #expect(response.status == .gone && response[.cacheControl] == ["no-store"])
                let problem = try JSONDocument(parsing: Array(response.text.utf8)).root
                #expect(problem["code"]?.string == "cursorExpired" && problem["reason"]?.string == "storefrontChanged")
                #expect(problem["resync"]?["kind"]?.string == "full" && problem["resync"]?["version"]?.integer == 0)
                let again = try await site.load("\(scope)&limit=100")
                copies[scope] = (Form(changes: again.changes), again.cursor)
                #expect(copies[scope]?.form != copy.form)
            }
            try await site.refresh()
            let changed = try await page()
            #expect(changed.form != form && changed.tag != tag)
            for (scope, copy) in copies {
                #expect(copy.form.items == changed.form.items)
                if scope != "locale=en" { #expect(copy.form == changed.form) }
                #expect(try await site.json("/v1/us/sync?\(scope)&cursor=\(copy.cursor)")["changes"]?.count == 0)
            }
            #expect(try await site.json("/v1/us/sync/head?locale=en")["digest"]?.string == digest)
            // The labels of schemes are those of all storefronts.
            if change.contains("'us'") { _ = try await site.json("/v1/de/sync?locale=de&cursor=\(german)") }
        }
    }

    @Test(
        "A change of the vocabulary that clients do not see keeps all cursors valid",
        arguments: [
            "UPDATE category_texts SET title = 'Utilities' WHERE category = 'tools'",
            "INSERT INTO storefront_locales VALUES ('us', 'de', 3)",
            "INSERT INTO rating_labels VALUES ('pegi', '14', 14)",
            "UPDATE rating_labels SET minimum_age = 8 WHERE (scheme, label) = ('usk', '6')",
            "INSERT INTO rating_schemes VALUES ('cero'); INSERT INTO rating_labels VALUES ('cero', 'A', 0)",
            "UPDATE platforms SET is_served = false WHERE key = 'tvos'",
        ])
    func hiddenVocabulary(change: String) async throws {
        try await run { site in
            try await prepare(site)
            let copy = try await site.load("locale=en")
            try await site.sql("BEGIN; \(change); COMMIT;")
            let page = try await site.json("/v1/us/sync?locale=en&cursor=\(copy.cursor)")
            #expect(page["changes"]?.count == 0 && page["upToDate"]?.bool == true)
            #expect(Form(changes: try await site.load("locale=en&limit=100").changes) == Form(changes: copy.changes))
        }
    }

    @Test("A stream ends when its storefront gets another form, and a poll returns the 410")
    func streamOfAnotherForm() async throws {
        try await run { site in
            let cursor = try await site.load("locale=en").cursor
            async let polled = site.send("GET /v1/us/sync?locale=en&wait=60&cursor=\(cursor)")
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                #expect(try #require(await events.first { _ in true }).contains("\"upToDate\":true"))
                while site.sync.waiting < 2 { try await site.loop.sleep(until: .after(.milliseconds(1)), named: "until both wait") }
                try await site.sql("UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us'")
                var rest: [String] = []
                for await event in events { rest.append(event) }
                #expect(rest.count == 1 && rest[0].hasPrefix("event: gone\n") && rest[0].contains("\"reason\":\"storefrontChanged\""))
            }
            let reply = try await polled
            #expect(reply.status == .gone, "\(reply.text)")
        }
    }

    @Test("A storefront that is not published yet has no cursors")
    func unpublished() async throws {
        try await run { site in
            let key = "jp"
            try await site.connection.runScript(
                "add",
                """
                BEGIN;
                INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('\(key)', 'JPY', 'Asia/Tokyo', 'ja');
                INSERT INTO storefront_locales VALUES ('\(key)', 'ja', 1);
                COMMIT;
                """, until: .soon)
            try await site.refresh()
            #expect(try await site.send("GET /v1/\(key)/sync?locale=ja").status == .unavailable)
            try await site.update()
            #expect(try await site.json("/v1/\(key)/sync?locale=ja")["upToDate"]?.bool == true)
        }
    }

    @Test("A stream sends changes with the cursors after them")
    func stream() async throws {
        try await run { site in
            let cursor = try await site.load("locale=en").cursor
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                // The first event reports whether the copy is up to date.
                let first = try #require(await events.first { _ in true })
                #expect(first.contains("\"upToDate\":true") && first.contains("\"changes\":[]"))
                try await site.sql("UPDATE items SET rating_count = 100 WHERE slug = 'app-2'")
                let text = try #require(await events.first { _ in true })
                #expect(text.hasPrefix("event: changes\nid: ") && text.contains("\"op\":\"upsert\""))
                let id = try #require(text.firstMatch(of: /id: (.*)\n/)?.1)
                #expect(text.contains("\"cursor\":\"\(id)\""))
            }
            let damaged = try await site.send("GET /v1/us/sync/stream?locale=en", ["Last-Event-ID: x"])
            #expect(damaged.status == .badRequest)
        }
    }
}
