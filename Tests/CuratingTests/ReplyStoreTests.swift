import Postgres
import TestDatabase
import Testing

@testable import Curating

@Suite("Answers that are kept", .databaseForEachTest)
struct ReplyStoreTests {
    private static let reply = KeptReply(
        requestHash: Array(repeating: 7, count: 32), status: 201, etag: "\"x\"", location: nil, body: Array("{}".utf8))

    @Test("are given again under their key for a day, to the same curator alone")
    func keys() async throws {
        try await CuratingShop.run { shop in
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

    @Test("are waited for by nobody: who comes while one is at work is told so")
    func inFlight() async throws {
        try await CuratingShop.run { shop in
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
        try await CuratingShop.run { shop in
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
