import Postgres
import TestDatabase
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The storefronts of a rollback", .databaseForEachTest)
struct RollbackScopeTests {
    private static let feed = """
        INSERT INTO feeds (key) VALUES ('today');
        INSERT INTO revisions (feed, number, line, document) SELECT 'today', n, 'main', '{"feed": "today"}' FROM generate_series(1, 4) AS n;
        """
    private static let newStorefront = """
        BEGIN;
        INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('jp', 'JPY', 'Asia/Tokyo', 'en');
        INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('jp', 'en', 1);
        COMMIT;
        """

    /// Returns the targets of a rollback, each as a revision with its storefronts.
    private static func targets(_ site: Site, in storefronts: [String]? = nil) async throws -> [String] {
        let feed = try #require(FeedKey("today"))
        return try await site.store.rollbackTargets(of: feed, RollbackRequest(storefronts: storefronts), at: site.store.now())
            .map { "\($0.revision) \($0.storefronts?.joined(separator: ",") ?? "all")" }
    }

    @Test("A storefront that was added later returns to what it would have shown, so the rollback is for all")
    func newStorefront() async throws {
        try await Site.run(Self.feed) { site in
            try await site.sql("SELECT publish('today', 'base', 1); SELECT publish('today', 'base', 2); \(Self.newStorefront)")
            #expect(try await Self.targets(site) == ["1 all"])
            #expect(try await Self.targets(site, in: ["jp"]) == ["1 jp"])
            // The next publication for all replaces no local base.
            try await site.sql("SELECT roll_back('today'); SELECT publish('today', 'base', 3)")
            #expect(
                try await site.rows("SELECT DISTINCT revision::text FROM live_revisions(clock_timestamp())") == ["3"])
            #expect(try await Self.targets(site) == ["1 all"])
        }
    }

    @Test("Of several bases that a new storefront has missed, it returns to the last one that it would have shown")
    func lastMissed() async throws {
        try await Site.run(Self.feed) { site in
            try await site.sql(
                """
                SELECT publish('today', 'base', 1); SELECT publish('today', 'base', 2); SELECT publish('today', 'base', 3);
                \(Self.newStorefront)
                """)
            #expect(try await Self.targets(site) == ["2 all"])
            #expect(try await Self.targets(site, in: ["jp"]) == ["2 jp"])
        }
    }

    @Test("A new storefront keeps its base if it would not have shown another one before")
    func ownHistory() async throws {
        try await Site.run(Self.feed) { site in
            // The first base was never for the new storefront.
            try await site.sql(
                """
                SELECT publish('today', 'base', 1, NULL, NULL, '{us,de,sa}'); SELECT publish('today', 'base', 2, replaces_local => true);
                \(Self.newStorefront)
                """)
            #expect(try await Self.targets(site) == ["1 de,sa,us"])
        }
    }

    @Test("The base of a storefront that was added later did not begin then, so a rollback is for the others")
    func laterStorefront() async throws {
        try await Site.run(Self.feed) { site in
            try await site.sql(
                """
                SELECT publish('today', 'base', 1); SELECT publish('today', 'base', 2, NULL, NULL, '{us,de,sa}');
                \(Self.newStorefront)
                """)
            #expect(
                try await site.rows("SELECT storefront || ' ' || revision FROM live_revisions(clock_timestamp()) ORDER BY 1") == [
                    "de 2", "jp 1", "sa 2", "us 2",
                ])
            #expect(try await Self.targets(site) == ["1 de,sa,us"])
        }
    }

    @Test("A rollback of a feed that some storefronts never had is not for them")
    func neverHad() async throws {
        try await Site.run(Self.feed) { site in
            try await site.sql(
                "SELECT publish('today', 'base', 1, NULL, NULL, '{us,de}'); SELECT publish('today', 'base', 2, NULL, NULL, '{us,de}')")
            #expect(try await Self.targets(site) == ["1 de,us"])
        }
    }

    @Test("Storefronts that showed different revisions before the order return to their own")
    func different() async throws {
        try await Site.run(Self.feed) { site in
            try await site.sql(
                """
                SELECT publish('today', 'base', 1); SELECT publish('today', 'base', 4, NULL, NULL, '{sa}');
                SELECT publish('today', 'base', 2, replaces_local => true); \(Self.newStorefront)
                """)
            #expect(try await Self.targets(site) == ["1 de,jp,us", "4 sa"])
        }
    }
}
