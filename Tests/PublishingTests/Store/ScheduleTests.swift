import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The schedule of a feed", .databaseForEachTest)
struct ScheduleTests {
    @Test("is at every moment what a naive model says, after any publications, takeovers and cancellations", arguments: Seeds.fixed(1))
    func model(seed: UInt64) async throws {
        try await Shop.run("") { shop in
            var random = SeededRandom(seed: seed)
            let store = try shop.store
            let feed = try #require(FeedKey("today"))
            let revisions = 5
            for number in 1...revisions { _ = try await store.save(try Shop.document("\(number)")) }
            let start = try await shop.now().adding(minutes: 600)
            var model = ScheduleModel()
            var ids: [Int] = [0]
            for round in 0..<80 {
                let context = Comment("seed \(seed), round \(round)")
                let from = start.adding(minutes: 10 * Int.random(in: 0..<40, using: &random))
                do {
                    if Int.random(in: 0..<3, using: &random) == 0 {
                        let id = try #require(ids.randomElement(using: &random))
                        let isThere = model.cancel(id)
                        do throws(FeedStoreError) {
                            try await store.cancel(id)
                            #expect(isThere, context)
                        } catch {
                            #expect(!isThere && error.code == .unknownPublication, context)
                        }
                    } else {
                        let isBase = Bool.random(using: &random)
                        let length = Int.random(in: 1..<80, using: &random)
                        let until = isBase || length == 79 ? nil : from.adding(minutes: length)
                        let obstacle = model.obstacle(isBase ? .base : .takeover, from: from, until: until)
                        let revision = Int.random(in: 1...revisions, using: &random)
                        do throws(FeedStoreError) {
                            let published = try await store.publish(
                                revision, of: feed, as: isBase ? .base : .takeover(until: until), from: from)
                            #expect(obstacle == nil, context)
                            model.publish(published, until: until)
                            ids.append(published.id)
                        } catch {
                            #expect(error.code == .overlap && error.obstacle?.id == obstacle, context)
                        }
                    }
                }
                guard round.isMultiple(of: 8) || round == 79 else { continue }
                let moments = (-2..<50).flatMap { [start.adding(minutes: 10 * $0), start.adding(minutes: 10 * $0 + 5)] }
                let query = PostgresQuery(
                    "live",
                    """
                    SELECT (SELECT revision FROM vitrine.live_revisions(moment)) FROM unnest($1::timestamptz[]) WITH ORDINALITY AS asked (moment, place)
                    ORDER BY place
                    """, moments)
                let live = try await shop.connection.rows(of: query, as: Int32?.self, until: .soon)
                #expect(live == moments.map { moment in model.live(at: moment).map(Int32.init) }, context)
            }
        }
    }
}
