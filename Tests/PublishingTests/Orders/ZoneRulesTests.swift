import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("The rules of time zones", .databaseForEachTest)
struct ZoneRulesTests {
    private static let feed = """
        INSERT INTO feeds (key) VALUES ('today');
        INSERT INTO revisions (feed, number, line, document) VALUES ('today', 1, 'main', '{"feed": "today"}');
        """
    /// Spans as other rules of the zones would have computed them, an hour later.
    private static let otherRules = """
        UPDATE publication_spans SET during = tstzrange(lower(during) + interval '1 hour', upper(during) + interval '1 hour');
        UPDATE zone_rules SET fingerprint = '' WHERE time_zone = 'Europe/Berlin';
        DELETE FROM sync_outbox;
        """

    private func followZones(_ site: Site) async throws -> [String] {
        try await Sequencer.followZones(PostgresSession(site.connection, within: .seconds(60)))
    }

    @Test("The spans of each storefront whose zone has other rules move in their own transaction, and only once")
    func moves() async throws {
        try await Site.run(Self.feed + "UPDATE storefronts SET time_zone = 'Europe/Berlin' WHERE key = 'sa';") { site in
            #expect(try await followZones(site) == ["America/New_York", "Europe/Berlin"])
            #expect(try await followZones(site) == [])
            try await site.sql("SELECT publish('today', 'takeover', 1, '2090-01-01T18:00', '2090-01-02T18:00')")
            let spans = "SELECT storefront || ' ' || (lower(during) AT TIME ZONE 'UTC')::text FROM publication_spans ORDER BY storefront"
            let before = try await site.rows(spans)
            try await site.sql(Self.otherRules)
            let others = try await site.rows(spans)
            #expect(try await followZones(site) == ["Europe/Berlin"])
            #expect(try await site.rows(spans) == [before[0], before[1], others[2]])
            #expect(try await site.rows("SELECT storefront FROM moved_spans WHERE is_moved ORDER BY storefront") == ["de", "sa"])
            let transactions = "SELECT count(DISTINCT transaction)::text FROM sync_outbox WHERE kind = 'span'"
            #expect(try await site.rows(transactions) == ["2"])
            #expect(try await followZones(site) == [])
        }
    }

    @Test("A zone that a storefront uses for the first time is checked the next time, although other zones were recorded since")
    func unseen() async throws {
        try await Site.run(Self.feed) { site in
            _ = try await followZones(site)
            try await site.sql("UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'us'; SELECT record_zone_rules('{}')")
            #expect(try await site.rows("SELECT time_zone FROM zone_rules ORDER BY 1") == ["Asia/Riyadh", "Europe/Berlin"])
            #expect(try await followZones(site) == ["Asia/Tokyo"])
            #expect(try await followZones(site) == [])
        }
    }

    @Test("Spans that would overlap stay, and those next to them move")
    func overlaps() async throws {
        try await Site.run(Self.feed + "DELETE FROM storefronts WHERE key <> 'us';") { site in
            // In New York, the first one ends at 23:00Z. In Tokyo, it would be where the second one is, or the third one.
            try await site.sql(
                """
                SELECT publish('today', 'takeover', 1, '2090-01-01T06:00', '2090-01-01T18:00'),
                    publish('today', 'takeover', 1, '2089-12-31T22:00:00Z', '2090-01-01T02:00:00Z'),
                    publish('today', 'takeover', 1, '2090-02-01T06:00', '2090-02-01T18:00');
                UPDATE storefronts SET time_zone = 'Asia/Tokyo';
                """)
            let moved = "SELECT publication || ' ' || is_moved FROM moved_spans ORDER BY publication"
            #expect(try await site.rows(moved) == ["1 false", "3 true"])
            let starts = "SELECT (lower(during) AT TIME ZONE 'UTC')::text FROM publication_spans ORDER BY publication"
            #expect(try await site.rows(starts) == ["2090-01-01 11:00:00", "2089-12-31 22:00:00", "2090-01-31 21:00:00"])
        }
    }

    @Test("A base that would start together with another one stays, ends where the next base moves to, and is recorded once")
    func bases() async throws {
        try await Site.run(Self.feed + "DELETE FROM storefronts WHERE key <> 'us';") { site in
            // In Tokyo, the first one would start together with the third one.
            try await site.sql(
                """
                SELECT publish('today', 'base', 1, '2090-01-01T06:00'), publish('today', 'base', 1, '2090-02-01T06:00'),
                    publish('today', 'base', 1, '2089-12-31T21:00:00Z');
                UPDATE storefronts SET time_zone = 'Asia/Tokyo';
                """)
            let moved = """
                SELECT publication || ' ' || is_moved || ' ' || (upper(before) AT TIME ZONE 'UTC' IS NOT DISTINCT FROM '2090-02-01 11:00')
                FROM moved_spans ORDER BY publication
                """
            #expect(try await site.rows(moved) == ["1 false true", "2 true false"])
            let spans = "SELECT tsrange(lower(during) AT TIME ZONE 'UTC', upper(during) AT TIME ZONE 'UTC')::text FROM publication_spans"
            #expect(
                try await site.rows(spans + " ORDER BY publication") == [
                    #"["2090-01-01 11:00:00","2090-01-31 21:00:00")"#, #"["2090-01-31 21:00:00",)"#,
                    #"["2089-12-31 21:00:00","2090-01-01 11:00:00")"#,
                ])
        }
    }
}
