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
            _ = try await store.publish(2, of: today, on: .takeover, PublicationOrder(until: end))
            #expect(
                try await store.feeds() == [
                    FeedSummary(key: "games", archivedAt: nil, draft: 1, live: []),
                    FeedSummary(
                        key: "today", archivedAt: nil, draft: 2,
                        live: [LiveRevision(storefronts: Site.storefronts, revision: 2, layer: .takeover, until: end)]),
                ])
            let later = try await store.feeds(at: end)
            #expect(
                later.map(\.live)
                    == [[], [LiveRevision(storefronts: Site.storefronts, revision: 1, layer: .base, until: nil)]])
            try await store.archive(today)
            let archived = try #require(try await store.feeds().last)
            #expect(archived.archivedAt != nil && archived.live.isEmpty && archived.draft == 2)
            #expect(try await site.rejection(.publish(1, today))?.code == .feedArchived)
            #expect(try await site.rejection(.save(try Site.document("Three")))?.code == .feedArchived)
            try await store.restore(today)
            #expect(try await store.feeds().last?.live.map(\.revision) == [2])
            try await store.archive(games)
            #expect(try await site.rejection(.archive(try #require(FeedKey("nothing"))))?.code == .unknownFeed)
        }
    }

    @Test("All publications in the way of another one are read together, with all of their storefronts")
    func conflicts() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            _ = try await store.save(try Site.document("One"))
            let start = try await site.now().adding(minutes: 60)
            var taken: [Publication] = []
            var calls: [Int] = []
            for hour in 0..<4 {
                let period = PublicationOrder(start.adding(minutes: 60 * hour), until: start.adding(minutes: 60 * hour + 30))
                taken.append(try await store.publish(1, of: feed, on: .takeover, period))
                let before = site.connection.callCount
                let error = try await site.rejection(.publish(1, feed, on: .takeover, PublicationOrder(start)))
                calls.append(site.connection.callCount - before)
                #expect(error?.conflictingPublications == taken.map { .init(storefronts: Site.storefronts, publication: $0) })
            }
            #expect(Set(calls).count == 1, "\(calls)")
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
            let taken = try await store.publish(1, of: feed, on: .takeover, PublicationOrder(start, until: start.adding(minutes: 60)))
            #expect(taken.from == .instant(start) && taken.until == .instant(start.adding(minutes: 60)) && taken.storefronts == nil)
            #expect(taken.spans.map(\.storefront) == Site.storefronts && taken.start == start)
            let overlap = try await site.rejection(.publish(1, feed, on: .takeover, PublicationOrder(start.adding(minutes: 59))))
            #expect(overlap?.code == .publicationOverlap)
            #expect(overlap?.conflictingPublications == [.init(storefronts: Site.storefronts, publication: taken)])
            #expect(overlap?.description.contains("publication \(taken.id) (revision 1 as takeover") == true)
            let base = try await store.publish(1, of: feed, PublicationOrder(start))
            let sameStart = try await site.rejection(.publish(1, feed, PublicationOrder(start)))
            #expect(sameStart?.conflictingPublications.map(\.publication) == [base])
            #expect(sameStart?.description.contains("starts at the same time") == true)
            let earlier = start.adding(minutes: -120)
            for (code, revision, layer, order) in [
                (FeedStoreError.Code.unknownRevision, 2, Publication.Layer.base, PublicationOrder()),
                (.unknownRevision, .max, .base, PublicationOrder()), (.startInPast, 1, .base, PublicationOrder(earlier)),
                (.invalidEnd, 1, .takeover, PublicationOrder(start, until: start)),
                (.invalidEnd, 1, .takeover, PublicationOrder(until: earlier)),
                (.invalidEnd, 1, .takeover, PublicationOrder(until: PlannedTime("2020-01-01T00:00"))),
                (.unknownStorefront, 1, .base, PublicationOrder(storefronts: ["us", "xx"])),
            ] {
                let error = try await site.rejection(.publish(revision, feed, on: layer, order))
                #expect(error?.code == code, "\(error.map(\.description) ?? "nothing")")
            }
            #expect(try await store.publications() == [taken, base])
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
            let next = try await store.publish(2, of: feed, PublicationOrder(start))
            #expect(try await store.schedule(of: feed).map(\.until) == [start, nil])
            try await store.cancel(next.id)
            #expect(try await store.schedule(of: feed).map(\.id) == [present.id])
            #expect(try await store.publication(next.id)?.canceledAt != nil)
            try await store.cancel(present.id)
            let ended = try #require(try await store.schedule(of: feed).first)
            #expect(ended.from == present.start && ended.until != nil)
            #expect(try await store.schedule(of: feed, notOverAt: start).isEmpty)
            #expect(try await site.rejection(.cancel(present.id))?.code == .publicationEnded)
            #expect(try await site.rejection(.cancel(next.id))?.code == .publicationEnded)
            #expect(try await site.rejection(.cancel(99))?.code == .unknownPublication)
            #expect(try await store.feeds().first?.live.isEmpty == true)
        }
    }

    @Test("The previous revision is one that was live, not a scheduled one")
    func before() async throws {
        try await Site.run("") { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            for text in ["One", "Two", "Three"] { _ = try await store.save(try Site.document(text)) }
            _ = try await store.publish(1, of: feed)
            _ = try await store.publish(3, of: feed, PublicationOrder(try await site.now().adding(minutes: 60)))
            await #expect(throws: FeedStoreError.self) { try await store.rollbackTargets(of: feed, RollbackRequest(), at: store.now()) }
            _ = try await store.publish(2, of: feed)
            #expect(try await store.rollbackTargets(of: feed, RollbackRequest(), at: store.now()).map(\.revision) == [1])
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
