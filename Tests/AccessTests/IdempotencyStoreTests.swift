import Postgres
import TestDatabase
import Testing

@testable import Access

@Suite("Answers that are kept", .databaseForEachTest)
struct IdempotencyStoreTests {
    private static let reply = StoredResponse(
        requestHash: Array(repeating: 7, count: 32), status: 201, etag: "\"x\"", location: nil, body: Array("{}".utf8))

    @Test("are given again under their key for a day, to the same curator alone")
    func keys() async throws {
        try await AccessShop.run { shop in
            let (anna, ben) = (try await shop.known("anna"), try await shop.known("ben"))
            #expect(try await shop.replies.take("k", of: anna) == .free)
            try await shop.replies.keep(Self.reply, under: "k", of: anna)
            #expect(try await shop.replies.take("k", of: anna) == .answered(Self.reply))
            #expect(try await shop.replies.take("k", of: ben) == .free)
            #expect(try await shop.replies.take("K", of: anna) == .free)
            try await shop.sql("UPDATE vitrine.replies SET answered_at = now() - interval '25 h'")
            #expect(try await shop.replies.take("k", of: anna) == .free)
            try await shop.replies.keep(Self.reply, under: "other", of: anna)
            #expect(try await shop.text("SELECT string_agg(key, ' ') FROM vitrine.replies") == "other")
        }
    }

    @Test("are given for a day less a moment, and are over at its end", arguments: [nil, Duration.seconds(3)])
    func day(lifetime: Duration?) async throws {
        try await AccessShop.run { shop in
            let anna = try await shop.known("anna")
            let replies = lifetime.map { shop.replies(lifetime: $0) } ?? shop.replies
            try await replies.keep(Self.reply, under: "k", of: anna)
            // Within a transaction the time of the database stands still.
            try await shop.sql("BEGIN")
            let end = "now() - interval '\(lifetime == nil ? "1 day" : "3 seconds")'"
            try await shop.sql("UPDATE vitrine.replies SET answered_at = \(end) + interval '1 microsecond'")
            #expect(try await replies.take("k", of: anna) == .answered(Self.reply))
            try await replies.keep(Self.reply, under: "other", of: anna)
            #expect(try await shop.text("SELECT string_agg(key, ' ' ORDER BY key) FROM vitrine.replies") == "k other")
            try await shop.sql("UPDATE vitrine.replies SET answered_at = \(end) WHERE key = 'k'")
            #expect(try await replies.take("k", of: anna) == .free)
            try await replies.keep(Self.reply, under: "other", of: anna)
            #expect(try await shop.text("SELECT string_agg(key, ' ' ORDER BY key) FROM vitrine.replies") == "other")
            try await shop.sql("ROLLBACK")
        }
    }

    @Test("are forgotten so many at once, the oldest first")
    func oldest() async throws {
        try await AccessShop.run { shop in
            let anna = try await shop.known("anna")
            for key in ["a", "b", "c", "d"] { try await shop.replies.keep(Self.reply, under: key, of: anna) }
            try await shop.sql("UPDATE vitrine.replies SET answered_at = now() - interval '2 days' - (ascii(key) - 96) * interval '1 hour'")
            try await shop.replies(mostForgotten: 3).keep(Self.reply, under: "new", of: anna)
            #expect(try await shop.text("SELECT string_agg(key, ' ' ORDER BY key) FROM vitrine.replies") == "a new")
        }
    }

    @Test("are waited for by nobody: who comes while one is at work is told so")
    func inFlight() async throws {
        try await AccessShop.run { shop in
            let anna = try await shop.known("anna")
            try await shop.beside { other in
                try await shop.sql("BEGIN")
                #expect(try await shop.replies.take("k", of: anna) == .free)
                #expect(try await other.replies.take("k", of: anna) == .inFlight)
                try await shop.sql("ROLLBACK")
                #expect(try await other.replies.take("k", of: anna) == .free)
            }
        }
    }

    @Test("are kept of what was refused, without what it had done")
    func refusals() async throws {
        try await AccessShop.run { shop in
            let anna = try await shop.known("anna")
            try await shop.sql("BEGIN")
            try await shop.replies.mark()
            await #expect(throws: PostgresError.self) {
                try await shop.sql("INSERT INTO vitrine.feeds VALUES ('today'); INSERT INTO vitrine.feeds VALUES ('Today')")
            }
            try await shop.replies.giveUp()
            try await shop.replies.keep(Self.reply, under: "k", of: anna)
            try await shop.sql("COMMIT")
            #expect(try await shop.replies.take("k", of: anna) == .answered(Self.reply))
            #expect(try await shop.text("SELECT max(key) FROM vitrine.feeds") == nil)
        }
    }
}
