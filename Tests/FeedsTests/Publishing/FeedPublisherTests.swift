import JSON
import Layout
import Postgres
import ScreenFiles
import Security
import TestDatabase
import Testing

@testable import Feeds

@Suite("The publisher of feeds", .databaseForEachTest)
struct FeedPublisherTests {
    private static let apps = "SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}');"

    private static func publish(_ revision: Int, in shop: Shop) async throws -> (publication: Publication, warnings: [ReviewFinding]) {
        let feed = try #require(FeedKey("today"))
        let matrix = try ScreenMatrix(parsing: ScreenFiles.matrix)
        return try await shop.connection.transaction(until: .soon) { connection in
            let publisher = try FeedPublisher(shop.library, on: matrix, ruleTime: .seconds(30), hashedBy: Digest.sha256) {
                queries throws(PostgresError) in try await connection.run(queries, until: .soon)
            }
            return try await publisher.publish(revision, of: feed)
        }
    }

    private static func refusal(of revision: Int, in shop: Shop) async throws -> FeedStoreError? {
        do {
            _ = try await publish(revision, in: shop)
            return nil
        } catch let error as FeedStoreError {
            return error
        }
    }

    @Test("shows what has no error, and answers with what there is to know of it")
    func published() async throws {
        try await Shop.run(Self.apps) { shop in
            _ = try await shop.store.save(try Shop.document("One"))
            let (publication, warnings) = try await Self.publish(1, in: shop)
            #expect(publication.revision == 1 && publication.layer == .base)
            #expect(Set(warnings.map(\.code)) == [.missingText] && warnings.allSatisfy { $0.severity == .warning })
            #expect(try await shop.store.feeds().first?.live == 1)
        }
    }

    @Test("shows nothing that has an error, and tells all that was found")
    func refused() async throws {
        try await Shop.run(Self.apps) { shop in
            let text = #"""
                {"feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"category": "tols"}},
                    {"key": "pinned", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "item": "topapp:nobody"}]}]}
                """#
            _ = try await shop.store.save(try FeedDocument(parsing: Array(text.utf8)))
            let error = try await Self.refusal(of: 1, in: shop)
            #expect(error?.code == .reviewed && error?.findings.first?.severity == .error)
            let codes = Set((error?.findings ?? []).map(\.code))
            #expect(codes.isSuperset(of: [.unknownCategory, .unknownItem, .missingText]))
            #expect(error?.description.contains("tols") == true || error?.description.contains("nobody") == true)
            #expect(try await shop.store.schedule().isEmpty)
        }
    }

    @Test("says what cannot be published whatever it holds")
    func impossible() async throws {
        try await Shop.run(Self.apps) { shop in
            #expect(try await Self.refusal(of: 1, in: shop)?.code == .unknownFeed)
            _ = try await shop.store.save(try Shop.document("One"))
            #expect(try await Self.refusal(of: 2, in: shop)?.code == .unknownRevision)
            try await shop.sql(
                "SELECT save_revision('today', 'newer', '{\"feed\": \"today\", \"title\": {\"en\": \"Today\"}, \"hologram\": {}}')")
            #expect(try await Self.refusal(of: 2, in: shop)?.code == .unreadable)
            try await shop.sql("UPDATE feeds SET archived_at = now()")
            #expect(try await Self.refusal(of: 1, in: shop)?.code == .archived)
        }
    }
}
