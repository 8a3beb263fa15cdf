import JSON
import Layout
import Postgres
import ScreenFiles
import Security
import TestDatabase
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The publisher of feeds", .databaseForEachTest)
struct FeedPublisherTests {
    private static let apps = CatalogRows.served + "SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}');"

    private typealias Done = (publication: Publication, warnings: [ReviewFinding])

    private static func run(_ site: Site, _ body: (FeedPublisher, FeedKey) async throws -> Done) async throws -> Done {
        let feed = try #require(FeedKey("today"))
        let matrix = try ScreenMatrix.builtIn()
        return try await site.connection.transaction(until: .soon) { connection in
            let publisher = FeedPublisher(
                on: matrix, ruleTime: .seconds(30), hashedBy: Digest.sha256, PostgresSession(connection, within: .seconds(60)))
            return try await body(publisher, feed)
        }
    }

    private static func publish(_ revision: Int, in site: Site) async throws -> Done {
        try await run(site) { try await $0.publish(revision, of: $1) }
    }

    private static func rollBack(to revision: Int? = nil, in site: Site) async throws -> Done {
        try await run(site) { publisher, feed in
            let done = try await publisher.rollBack(feed, RollbackRequest(revision: revision), at: site.store.now())
            return (try #require(done.publications.first), done.warnings)
        }
    }

    private static func rejection(_ body: () async throws -> Done) async throws -> FeedStoreError? {
        do {
            _ = try await body()
            return nil
        } catch let error as FeedStoreError {
            return error
        }
    }

    private static func rejection(of revision: Int, in site: Site) async throws -> FeedStoreError? {
        try await rejection { try await publish(revision, in: site) }
    }

    @Test("A revision without errors is published, and its warnings are returned")
    func published() async throws {
        try await Site.run(Self.apps) { site in
            _ = try await site.store.save(try Site.document("One"))
            let (publication, warnings) = try await Self.publish(1, in: site)
            #expect(publication.revision == 1 && publication.layer == .base)
            #expect(Set(warnings.map(\.code)) == [.missingText] && warnings.allSatisfy { $0.severity == .warning })
            #expect(try await site.store.feeds().first?.live.map(\.revision) == [1])
        }
    }

    @Test("A revision with an error is rejected with all findings")
    func refused() async throws {
        try await Site.run(Self.apps) { site in
            let text = #"""
                {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"category": "tols"}},
                    {"key": "pinned", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "item": "topapp:nobody"}]}]}
                """#
            _ = try await site.store.save(try FeedDocument(parsing: Array(text.utf8)))
            let error = try await Self.rejection(of: 1, in: site)
            #expect(error?.code == .reviewFailed && error?.findings.first?.severity == .error)
            let codes = Set((error?.findings ?? []).map(\.code))
            #expect(codes.isSuperset(of: [.unknownCategory, .unknownItem, .missingText]))
            #expect(error?.description.contains("tols") == true || error?.description.contains("nobody") == true)
            #expect(try await site.store.publications().isEmpty)
        }
    }

    @Test("An unknown, unreadable or archived feed or revision is rejected with its own code")
    func impossible() async throws {
        try await Site.run(Self.apps) { site in
            #expect(try await Self.rejection(of: 1, in: site)?.code == .unknownFeed)
            _ = try await site.store.save(try Site.document("One"))
            #expect(try await Self.rejection(of: 2, in: site)?.code == .unknownRevision)
            try await site.sql(
                "SELECT save_revision('today', 'newer', '{\"feed\": \"today\", \"title\": {\"en\": \"Today\"}, \"hologram\": {}}')")
            #expect(try await Self.rejection(of: 2, in: site)?.code == .unsupportedRevision)
            try await site.sql("UPDATE feeds SET archived_at = now()")
            #expect(try await Self.rejection(of: 1, in: site)?.code == .feedArchived)
        }
    }

    @Test("A rollback publishes the previous or the given revision of the base, and does not change a takeover")
    func rollback() async throws {
        try await Site.run(Self.apps) { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            for title in ["One", "Two", "Three"] { _ = try await store.save(try Site.document(title)) }
            #expect(try await Self.rejection { try await Self.rollBack(in: site) }?.code == .noPreviousRevision)
            _ = try await store.publish(1, of: feed)
            #expect(try await Self.rejection { try await Self.rollBack(in: site) }?.code == .noPreviousRevision)
            _ = try await store.publish(2, of: feed)
            _ = try await store.publish(3, of: feed, on: .takeover)
            #expect(try await Self.rollBack(in: site).publication.revision == 1)
            let (publication, warnings) = try await Self.rollBack(in: site)
            #expect(publication.revision == 2 && Set(warnings.map(\.code)) == [.missingText])
            #expect(try await Self.rollBack(to: 3, in: site).publication.revision == 3)
            #expect(try await store.schedule(of: feed).filter { $0.layer == .base }.map(\.revision) == [1, 2, 1, 2, 3])
            #expect(try await store.schedule(of: feed).filter { $0.layer == .takeover && $0.until == nil }.count == 1)
        }
    }

    @Test("A rollback publishes the revisions that it reviewed, even if another base starts during the reviews")
    func rollbackDuringSwitch() async throws {
        try await Site.run(Self.apps) { site in
            let store = try site.store
            let feed = try #require(FeedKey("today"))
            for title in ["One", "Two", "Three"] { _ = try await store.save(try Site.document(title)) }
            for revision in [1, 2] { _ = try await store.publish(revision, of: feed) }
            let start = try await store.now().advanced(by: .seconds(1_800))
            _ = try await store.publish(3, of: feed, PublicationOrder(from: .instant(start)))
            // An hour passes after each computation of the targets.
            try await site.sql(
                """
                CREATE SEQUENCE vitrine.computations;
                ALTER FUNCTION vitrine.rollback_targets(text, text[], integer, timestamptz) RENAME TO targets_at;
                CREATE FUNCTION vitrine.rollback_targets(of_feed text, in_storefronts text[], to_revision integer, present timestamptz)
                    RETURNS TABLE (revision integer, storefronts text[]) LANGUAGE plpgsql
                AS $$
                DECLARE
                    later timestamptz := present + (nextval('vitrine.computations') - 1) * interval '1 hour';
                BEGIN
                    RETURN QUERY SELECT * FROM vitrine.targets_at(of_feed, in_storefronts, to_revision, later);
                END
                $$
                """)
            // After the start of revision 3, the target would be revision 2.
            #expect(try await Self.rollBack(in: site).publication.revision == 1)
        }
    }

    @Test("A rollback to a revision that has an error now is rejected")
    func outdated() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}'), pg_temp.top_app('b', '{\"en\": \"Buoy\"}');") { site in
            let pinned = #"""
                {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "pinned", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "item": "topapp:b"}]}]}
                """#
            _ = try await site.store.save(try FeedDocument(parsing: Array(pinned.utf8)))
            _ = try await Self.publish(1, in: site)
            _ = try await site.store.save(try Site.document("Two"))
            _ = try await Self.publish(2, in: site)
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            for revision in [nil, 1] {
                let error = try await Self.rejection { try await Self.rollBack(to: revision, in: site) }
                #expect(
                    error?.code == .reviewFailed && error?.findings.contains { $0.code == .unknownItem && $0.severity == .error } == true)
            }
            #expect(try await site.store.feeds().first?.live.map(\.revision) == [2])
        }
    }
}
