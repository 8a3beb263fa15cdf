import Postgres
import TestDatabase
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The cancellation of a publication storefront by storefront", .databaseForEachTest)
struct WholeCancellationTests {
    private static let feed = """
        INSERT INTO feeds (key) VALUES ('today');
        INSERT INTO revisions (feed, number, line, document) SELECT 'today', n, 'main', '{"feed": "today"}' FROM generate_series(1, 3) AS n;
        """
    private static let newStorefront = """
        BEGIN;
        INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('jp', 'JPY', 'Asia/Tokyo', 'en');
        INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('jp', 'en', 1);
        COMMIT;
        """

    @Test(
        "A publication for all is canceled with its last storefront, so a new storefront does not get it", arguments: ["base", "takeover"])
    func lastStorefront(layer: String) async throws {
        try await Site.run(Self.feed) { site in
            // A takeover without an end would have the time of the second one.
            let end = layer == "takeover" ? "'2090-01-02T18:00'" : "NULL"
            try await site.sql(
                """
                SELECT publish('today', '\(layer)', 1, '2090-01-01T18:00', \(end)), publish('today', '\(layer)', 2, '2090-02-01T18:00')
                """)
            let ids = try await site.rows("SELECT id::text FROM publications ORDER BY publications.id")
            try await site.sql("SELECT cancel_publication(\(ids[0]), '{us,sa}')")
            #expect(try await site.store.publication(try #require(Int(ids[0])))?.canceledAt == nil)
            try await site.sql("SELECT cancel_publication(\(ids[0]), '{de}')")
            #expect(try await site.store.publication(try #require(Int(ids[0])))?.canceledAt != nil)
            try await site.sql(Self.newStorefront)
            #expect(try await site.rows("SELECT publication::text FROM publication_spans WHERE storefront = 'jp'") == [ids[1]])
        }
    }

    @Test("A closed storefront does not keep a publication that is canceled in all open ones")
    func closedStorefront() async throws {
        try await Site.run(Self.feed) { site in
            try await site.sql(
                "SELECT publish('today', 'takeover', 1); UPDATE storefronts SET closed_at = clock_timestamp() WHERE key = 'sa'")
            try await site.sql("SELECT cancel_publication(max(id), '{us,de}') FROM publications")
            #expect(try await site.rows("SELECT count(*)::text FROM publications WHERE cancelled_at IS NOT NULL") == ["1"])
            #expect(try await site.rows("SELECT storefront FROM publication_spans WHERE upper(during) IS NULL") == [])
        }
    }
}
