import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The schedule of a feed", .databaseForEachTest)
struct ScheduleTests {
    @Test(
        "The schedule equals a naive model at every time, after random publications, takeovers and cancellations", arguments: Seeds.fixed(1)
    )
    func model(seed: UInt64) async throws {
        try await Site.run("") { site in
            var random = SeededRandom(seed: seed)
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            let revisions = 5
            for number in 1...revisions { _ = try await store.save(try Site.document("\(number)")) }
            let start = try await site.now().adding(minutes: 600)
            var model = ScheduleModel()
            var ids: [Int] = [0]
            for round in 0..<80 {
                let context = Comment("seed \(seed), round \(round)")
                let from = start.adding(minutes: 10 * Int.random(in: 0..<40, using: &random))
                do {
                    if Int.random(in: 0..<3, using: &random) == 0 {
                        let id = try #require(ids.randomElement(using: &random))
                        let wasCancelled = model.cancel(id)
                        do throws(FeedStoreError) {
                            try await store.cancel(id)
                            #expect(wasCancelled, context)
                        } catch {
                            #expect(!wasCancelled && [.unknownPublication, .publicationEnded].contains(error.code), context)
                        }
                    } else {
                        let isBase = Bool.random(using: &random)
                        let length = Int.random(in: 1..<80, using: &random)
                        let until = isBase || length == 79 ? nil : from.adding(minutes: length)
                        let conflicts = model.conflictingPublications(isBase ? .base : .takeover, from: from, until: until)
                        let revision = Int.random(in: 1...revisions, using: &random)
                        do throws(FeedStoreError) {
                            let published = try await store.publish(
                                revision, of: feed, on: isBase ? .base : .takeover, PublicationOrder(from, until: until))
                            #expect(conflicts == [], context)
                            model.publish(published, from: from, until: until)
                            ids.append(published.id)
                        } catch {
                            #expect(
                                error.code == .publicationOverlap
                                    && error.conflictingPublications.map(\.publication.id) == conflicts, context)
                        }
                    }
                }
                guard round.isMultiple(of: 8) || round == 79 else { continue }
                let times = (-2..<50).flatMap { [start.adding(minutes: 10 * $0), start.adding(minutes: 10 * $0 + 5)] }
                let query = PostgresQuery(
                    "live",
                    """
                    SELECT (SELECT revision FROM vitrine.live_revisions(moment) WHERE storefront = 'us') FROM unnest($1::timestamptz[]) WITH ORDINALITY AS asked (moment, place)
                    ORDER BY place
                    """, times)
                let live = try await site.connection.rows(of: query, as: Int32?.self, until: .soon)
                #expect(live == times.map { time in model.live(at: time).map(Int32.init) }, context)
            }
        }
    }
}
