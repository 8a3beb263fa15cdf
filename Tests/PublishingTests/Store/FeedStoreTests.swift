import Host
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The feed store", .databaseForEachTest)
struct FeedStoreTests {
    @Test("A saved document gets the next number, unless it equals the newest revision of its line")
    func saving() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            let line = try #require(LineKey("night-market"))
            let (first, second) = (try Site.document("One"), try Site.document("Two"))
            #expect(try await store.save(first) == (1, true))
            #expect(try await store.save(first) == (1, false))
            #expect(try await store.save(second) == (2, true))
            #expect(try await store.save(first, on: line) == (3, true))
            #expect(try await store.save(second, on: line) == (4, true))
            #expect(try await store.save(first) == (5, true))
            #expect(try await store.save(try Site.document("One", of: "games")) == (1, true))
            #expect(try await store.revisions(of: feed).map(\.number) == [5, 4, 3, 2, 1])
            #expect(try await store.revisions(of: feed, on: line).map(\.number) == [4, 3])
            #expect(try await store.revisions(of: feed, below: 4, limit: 2).map(\.number) == [3, 2])
            let (revision, document) = try await store.revision(5, of: feed)
            #expect(revision.line == "main" && document == first.canonical())
            #expect(try await store.revision(1, of: feed).revision.hash == revision.hash)
            #expect(try await site.rejection(.read(6, feed))?.code == .unknownRevision)
        }
    }

    @Test("A feed is locked for one session at a time: a second one waits, and sees that it was archived")
    func held() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            let today = try #require(FeedKey("today"))
            _ = try await site.store.save(try Site.document("One"))
            try await site.sql("BEGIN; UPDATE feeds SET archived_at = now() WHERE key = 'today'")
            async let isArchived = Self.hold(today, of: site, on: configuration)
            try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
            try await site.sql("COMMIT")
            #expect(try await isArchived)
        }
    }

    private static func hold(_ feed: FeedKey, of site: Site, on configuration: PostgresConfiguration) async throws -> Bool {
        let isArchived = Locked(false)
        try await withConnection(configuration) { connection in
            let found = try await Site(connection: connection).store.hold(feed)
            isArchived.withLock { $0 = found }
        }
        return isArchived.withLock { $0 }
    }

    @Test("The list of feeds has their live revisions, and none for a feed that is archived")
    func feeds() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let (today, games) = (try #require(FeedKey("today")), try #require(FeedKey("games")))
            _ = try await store.save(try Site.document("One"))
            _ = try await store.save(try Site.document("Two"))
            _ = try await store.save(try Site.document("One", of: "games"))
            _ = try await store.publish(1, of: today)
            let end = try await site.now().adding(minutes: 60)
            _ = try await store.publish(2, of: today, as: .takeover(until: end))
            #expect(
                try await store.feeds() == [
                    FeedSummary(key: "games", archivedAt: nil, draft: 1, live: nil, layer: nil, until: nil),
                    FeedSummary(key: "today", archivedAt: nil, draft: 2, live: 2, layer: .takeover, until: end),
                ])
            let later = try await store.feeds(at: end)
            #expect(later.map(\.live) == [nil, 1] && later.last?.layer == .base && later.last?.until == nil)
            try await store.archive(today)
            let archived = try #require(try await store.feeds().last)
            #expect(archived.archivedAt != nil && archived.live == nil && archived.draft == 2)
            #expect(try await site.rejection(.publish(1, today))?.code == .feedArchived)
            #expect(try await site.rejection(.save(try Site.document("Three")))?.code == .feedArchived)
            try await store.restore(today)
            #expect(try await store.feeds().last?.live == 2)
            try await store.archive(games)
            #expect(try await site.rejection(.archive(try #require(FeedKey("nothing"))))?.code == .unknownFeed)
        }
    }

    @Test("An invalid publication is rejected with its code, and a conflict names the other publication")
    func refusals() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            let start = try await site.now().adding(minutes: 60)
            #expect(try await site.rejection(.publish(1, feed))?.code == .unknownFeed)
            _ = try await store.save(try Site.document("One"))
            let taken = try await store.publish(
                1, of: feed, as: .takeover(until: start.adding(minutes: 60)), from: start, timeZone: "Europe/Berlin")
            #expect(taken.from == start && taken.until == start.adding(minutes: 60) && taken.timeZone == "Europe/Berlin")
            let overlap = try await site.rejection(.publish(1, feed, as: .takeover(until: nil), from: start.adding(minutes: 59)))
            #expect(overlap?.code == .publicationOverlap && overlap?.conflictingPublication == taken)
            #expect(overlap?.description.contains("publication \(taken.id) (revision 1 as takeover") == true)
            let base = try await store.publish(1, of: feed, from: start)
            let sameStart = try await site.rejection(.publish(1, feed, from: start))
            #expect(sameStart?.conflictingPublication == base && sameStart?.description.contains("starts at the same time") == true)
            for (code, revision, layer, from, zone) in [
                (FeedStoreError.Code.unknownRevision, 2, FeedStore.Layer.base, nil, "UTC"), (.unknownRevision, .max, .base, nil, "UTC"),
                (.startInPast, 1, .base, start.adding(minutes: -120), "UTC"), (.invalidEnd, 1, .takeover(until: start), start, "UTC"),
                (.invalidEnd, 1, .takeover(until: start.adding(minutes: -120)), nil, "UTC"),
                (.unknownTimeZone, 1, .base, nil, "Mars/Olympus"),
            ] {
                let error = try await site.rejection(.publish(revision, feed, as: layer, from: from, timeZone: zone))
                #expect(error?.code == code, "\(error.map(\.description) ?? "nothing")")
            }
            #expect(try await store.schedule() == [base, taken])
        }
    }

    @Test("A cancellation removes future publications, and keeps the past of the current one")
    func cancelling() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            _ = try await store.save(try Site.document("One"))
            _ = try await store.save(try Site.document("Two"))
            let start = try await site.now().adding(minutes: 60)
            let present = try await store.publish(1, of: feed)
            let next = try await store.publish(2, of: feed, from: start)
            #expect(try await store.schedule(of: feed).map(\.until) == [start, nil])
            try await store.cancel(next.id)
            #expect(try await store.schedule(of: feed) == [present])
            try await store.cancel(present.id)
            let ended = try #require(try await store.schedule(of: feed).first)
            #expect(ended.from == present.from && ended.until != nil)
            #expect(try await store.schedule(of: feed, notOverAt: start).isEmpty)
            #expect(try await site.rejection(.cancel(present.id))?.code == .publicationEnded)
            #expect(try await site.rejection(.cancel(next.id))?.code == .unknownPublication)
            #expect(try await store.feeds().first?.live == nil)
        }
    }

    @Test("The previous revision is one that was live, not a scheduled one")
    func before() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            for text in ["One", "Two", "Three"] { _ = try await store.save(try Site.document(text)) }
            _ = try await store.publish(1, of: feed)
            _ = try await store.publish(3, of: feed, from: try await site.now().adding(minutes: 60))
            #expect(try await store.revisionShownBefore(feed) == nil)
            _ = try await store.publish(2, of: feed)
            #expect(try await store.revisionShownBefore(feed) == 1)
        }
    }

    @Test("Concurrent saves and publications of two sessions run one after the other")
    func together() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            try await withThrowingTaskGroup { group in
                for session in 0..<2 {
                    group.addTask {
                        try await withConnection { connection in
                            let store = try Site(connection: connection).store
                            for round in 0..<15 {
                                let (number, _) = try await store.save(try Site.document("\(round) of \(session)"))
                                _ = try await store.publish(number, of: feed)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.revisions(of: feed).map(\.number) == (1...30).reversed())
            let schedule = try await store.schedule(of: feed)
            #expect(schedule.count == 30 && Set(schedule.map(\.revision)).count == 30)
            #expect(schedule.dropLast().map(\.until) == schedule.dropFirst().map(\.from) && schedule.last?.until == nil)
        }
    }
}
