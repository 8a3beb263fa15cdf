import Feeds
import HTTPMessages
import Host
import JSON
import Postgres
import Sync
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The waiting requests and streams of sync", .databaseForEachTest)
struct SyncWaitingTests {
    @Test("A waiting request returns with changes, or without them at its deadline")
    func waiting() async throws {
        try await SyncSite.run { site in
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
        try await SyncSite.run(waiters: 20) { site in
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
        try await SyncSite.run { site in
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
        try await SyncSite.run(waiters: 0) { site in
            let response = try await site.send("GET /v1/us/sync?wait=5")
            #expect(response.status == .unavailable && Int(response["retry-after"].first ?? "").map { (5...30).contains($0) } == true)
            #expect(try await site.json("/v1/us/sync?wait=0")["upToDate"]?.bool == true)
        }
    }

    @Test("Streams count toward the limit of waiting requests")
    func tooManyStreams() async throws {
        try await SyncSite.run(waiters: 1) { site in
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
        try await SyncSite.run { site in
            for path in ["sync", "sync/head", "sync/digest"] {
                let response = try await site.send("GET /v1/us/\(path)?locale=en", ["Last-Event-ID: x"])
                #expect(response.status == .ok)
            }
        }
    }

    @Test("A waiting request returns as soon as the head is complete, even without changes")
    func completedPoll() async throws {
        try await SyncSite.run { site in
            let waker = Task(executorPreference: site.loop) { await site.sync.wakeWaiters(on: site.loop) }
            let cursor = try await site.load("locale=en").cursor
            let path = "/v1/us/sync?locale=en&cursor=\(cursor)"
            try await site.setHead(isComplete: false)
            // The request starts from this page, however soon the head is complete.
            #expect(try await site.json(path)["upToDate"]?.bool == false)
            let uses = site.sync.responses.uses
            let began = ContinuousClock.now
            async let poll = site.send("GET \(path)&wait=60")
            await wait(while: site.sync.responses.uses == uses)
            try await site.setHead(isComplete: true)
            let response = try await poll
            let page = try JSONDocument(parsing: Array(response.text.utf8)).root
            #expect(page["upToDate"]?.bool == true && page["changes"]?.count == 0)
            // The cursor is that of the request. A cache would serve a stored response to the next one, without a wait.
            #expect(page["cursor"]?.string == cursor && response[.cacheControl] == ["no-store"])
            #expect(began.duration(to: .now) < .seconds(59))
            waker.cancel()
            await waker.value
        }
    }

    @Test("A head that became complete is reported to a reconnecting and to an open stream")
    func completedStreams() async throws {
        try await SyncSite.run { site in
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

    @Test("A stream sends changes with the cursors after them")
    func stream() async throws {
        try await SyncSite.run { site in
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
