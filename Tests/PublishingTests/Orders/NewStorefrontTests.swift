import Feeds
import Layout
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("A new storefront", .databaseForEachTest)
struct NewStorefrontTests {
    private static let feeds = """
        INSERT INTO feeds (key) VALUES ('today'), ('games');
        INSERT INTO revisions (feed, number, line, document)
        SELECT key, n, 'main', format('{"feed": "%s"}', key) FROM feeds, generate_series(1, 5) AS n;
        """

    private static func add(_ key: String, in zone: String) -> String {
        """
        INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('\(key)', 'USD', '\(zone)', 'en');
        INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('\(key)', 'en', 1);
        """
    }

    private static func publish(_ feed: String, _ from: String, _ until: String?) -> String {
        "SELECT publish('\(feed)', 'takeover', 2, '\(from)', \(until.map { "'\($0)'" } ?? "NULL"));"
    }

    /// Returns the messages of the findings about a storefront.
    private static func messages(_ site: Site, in storefront: String, closedAt time: Timestamp? = nil) async throws -> [String] {
        let findings = try await site.store.findings(inNew: storefront, closedAt: time)
        #expect(findings.allSatisfy { $0.code == .noSpan && $0.severity == .warning })
        return findings.map(\.message)
    }

    @Test("Each takeover that has no span in it is a finding: another one has the time, or the time is empty there")
    func missing() async throws {
        try await Site.run(Self.feeds) { site in
            // The second one overlaps the first one only in Sydney, where the clocks skip the third one.
            try await site.sql(
                Self.publish("today", "2090-01-01T00:00:00Z", "2090-01-01T06:00:00Z")
                    + Self.publish("today", "2090-01-01T12:00", "2090-01-01T14:00")
                    + Self.publish("today", "2090-10-01T02:10", "2090-10-01T02:40")
                    + Self.publish("games", "2091-01-01T00:00:00Z", nil)
                    + Self.publish("games", "2090-12-31T05:00", "2090-12-31T15:00"))
            try await site.sql(Self.add("au", in: "Australia/Sydney"))
            #expect(
                try await Self.messages(site, in: "au") == [
                    "publication 2 of 'today' has no period in au, because publication 1 occupies the period there",
                    "publication 3 of 'today' has no period in au, because its end is not after its start there",
                ])
            try await site.sql(Self.add("hi", in: "Pacific/Honolulu"))
            #expect(
                try await Self.messages(site, in: "hi") == [
                    "publication 5 of 'games' has no period in hi, because publication 4 occupies the period there"
                ])
            try await site.sql(Self.add("fr", in: "Europe/Paris"))
            #expect(try await Self.messages(site, in: "fr").isEmpty)
            // The findings are those of all spans that are missing.
            #expect(
                try await site.rows(
                    """
                    SELECT key || ' ' || id FROM publications CROSS JOIN storefronts
                    WHERE key IN ('au', 'hi', 'fr') AND NOT EXISTS (SELECT FROM publication_spans WHERE publication = id AND storefront = key)
                    ORDER BY 1
                    """) == ["au 2", "au 3", "hi 5"])
        }
    }

    @Test("A takeover that is over or canceled is no finding, and one after an overlapping takeover that is over is one")
    func over() async throws {
        try await Site.run(Self.feeds) { site in
            try await site.sql(
                """
                INSERT INTO publications (feed, layer, revision, from_text, until_text, ordered_at)
                SELECT 'today', 'takeover', 2, instant_text(now() + start * interval '1 hour'), instant_text(now() + finish * interval '1 hour'),
                    now() - interval '9 hours'
                FROM (VALUES (1, -4, -2), (2, -3, -1), (3, -3, 2)) AS given (rank, start, finish)
                ORDER BY rank;
                \(Self.publish("today", "2090-01-01T00:00:00Z", "2090-01-01T06:00:00Z"))
                \(Self.publish("today", "2090-01-01T12:00", "2090-01-01T14:00"))
                SELECT cancel_publication(5);
                \(Self.add("au", in: "Australia/Sydney"))
                """)
            #expect(
                try await Self.messages(site, in: "au") == [
                    "publication 3 of 'today' has no period in au, because an earlier takeover occupied the period there"
                ])
        }
    }

    @Test("If it is opened again, the findings are about the publications that were made while it was closed")
    func reopened() async throws {
        try await Site.run(Self.feeds) { site in
            try await site.sql(
                Self.publish("today", "2090-01-01T00:00:00Z", "2090-01-01T06:00:00Z")
                    + Self.publish("today", "2090-01-01T12:00", "2090-01-01T14:00"))
            try await site.sql(Self.add("au", in: "Australia/Sydney"))
            try await site.sql("UPDATE storefronts SET closed_at = clock_timestamp() WHERE key = 'au'")
            let query = PostgresQuery("closed", "SELECT closed_at FROM storefronts WHERE key = 'au'")
            let closedAt = try #require(try await site.connection.rows(of: query, as: Timestamp.self, until: .soon).first)
            try await site.sql(
                Self.publish("today", "2090-02-01T00:00:00Z", "2090-02-01T06:00:00Z")
                    + Self.publish("today", "2090-02-01T12:00", "2090-02-01T14:00"))
            try await site.sql("UPDATE storefronts SET closed_at = NULL WHERE key = 'au'")
            #expect(
                try await Self.messages(site, in: "au", closedAt: closedAt) == [
                    "publication 4 of 'today' has no period in au, because publication 3 occupies the period there"
                ])
        }
    }
}
