import Postgres
import TestDatabase
import Testing

@testable import Access

@Suite("The idempotency store", .databaseForEachTest)
struct IdempotencyStoreTests {
    private static let reply = StoredResponse(
        requestHash: Array(repeating: 7, count: 32), status: 201, etag: "\"x\"", location: nil, body: Array("{}".utf8))

    @Test("A stored response is returned under its key for a day, and only to the same principal")
    func keys() async throws {
        try await AccessSite.run { site in
            let (anna, ben) = (try await site.known("anna"), try await site.known("ben"))
            #expect(try await site.replies.acquire("k", of: anna) == .free)
            try await site.replies.keep(Self.reply, under: "k", of: anna)
            #expect(try await site.replies.acquire("k", of: anna) == .stored(Self.reply))
            #expect(try await site.replies.acquire("k", of: ben) == .free)
            #expect(try await site.replies.acquire("K", of: anna) == .free)
            try await site.sql("UPDATE vitrine.replies SET answered_at = now() - interval '25 h'")
            #expect(try await site.replies.acquire("k", of: anna) == .free)
            try await site.replies.keep(Self.reply, under: "other", of: anna)
            #expect(try await site.text("SELECT string_agg(key, ' ') FROM vitrine.replies") == "other")
        }
    }

    @Test("A stored response is valid until just before its lifetime ends", arguments: [nil, Duration.seconds(3)])
    func day(lifetime: Duration?) async throws {
        try await AccessSite.run { site in
            let anna = try await site.known("anna")
            let replies = lifetime.map { site.replies(lifetime: $0) } ?? site.replies
            try await replies.keep(Self.reply, under: "k", of: anna)
            // Within a transaction the time of the database does not advance.
            try await site.sql("BEGIN")
            let end = "now() - interval '\(lifetime == nil ? "1 day" : "3 seconds")'"
            try await site.sql("UPDATE vitrine.replies SET answered_at = \(end) + interval '1 microsecond'")
            #expect(try await replies.acquire("k", of: anna) == .stored(Self.reply))
            try await replies.keep(Self.reply, under: "other", of: anna)
            #expect(try await site.text("SELECT string_agg(key, ' ' ORDER BY key) FROM vitrine.replies") == "k other")
            try await site.sql("UPDATE vitrine.replies SET answered_at = \(end) WHERE key = 'k'")
            #expect(try await replies.acquire("k", of: anna) == .free)
            try await replies.keep(Self.reply, under: "other", of: anna)
            #expect(try await site.text("SELECT string_agg(key, ' ' ORDER BY key) FROM vitrine.replies") == "other")
            try await site.sql("ROLLBACK")
        }
    }

    @Test("Expired responses are deleted in limited batches, oldest first")
    func oldest() async throws {
        try await AccessSite.run { site in
            let anna = try await site.known("anna")
            for key in ["a", "b", "c", "d"] { try await site.replies.keep(Self.reply, under: key, of: anna) }
            try await site.sql("UPDATE vitrine.replies SET answered_at = now() - interval '2 days' - (ascii(key) - 96) * interval '1 hour'")
            try await site.replies(maxForgotten: 3).keep(Self.reply, under: "new", of: anna)
            #expect(try await site.text("SELECT string_agg(key, ' ' ORDER BY key) FROM vitrine.replies") == "a new")
        }
    }

    @Test("A request whose key is in use is not blocked and gets `inFlight`")
    func inFlight() async throws {
        try await AccessSite.run { site in
            let anna = try await site.known("anna")
            try await site.beside { other in
                try await site.sql("BEGIN")
                #expect(try await site.replies.acquire("k", of: anna) == .free)
                #expect(try await other.replies.acquire("k", of: anna) == .inFlight)
                try await site.sql("ROLLBACK")
                #expect(try await other.replies.acquire("k", of: anna) == .free)
            }
        }
    }

    @Test("The response of a rejected request is stored, and the changes of the request are rolled back")
    func refusals() async throws {
        try await AccessSite.run { site in
            let anna = try await site.known("anna")
            try await site.sql("BEGIN")
            try await site.replies.mark()
            await #expect(throws: PostgresError.self) {
                try await site.sql("INSERT INTO vitrine.feeds VALUES ('today'); INSERT INTO vitrine.feeds VALUES ('Today')")
            }
            try await site.replies.cancel()
            try await site.replies.keep(Self.reply, under: "k", of: anna)
            try await site.sql("COMMIT")
            #expect(try await site.replies.acquire("k", of: anna) == .stored(Self.reply))
            #expect(try await site.text("SELECT max(key) FROM vitrine.feeds") == nil)
        }
    }
}
