import Postgres
import Publishing
import TestDatabase
import Testing
import Values

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
        try await check(site).zones
    }

    private func check(_ site: Site) async throws -> Sequencer.ZoneCheck {
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

    @Test("An hour after the rules of a zone have changed, its spans move once more, because older sessions published by the old rules")
    func again() async throws {
        try await Site.run(Self.feed) { site in
            #expect(try await check(site).recheckAt == nil)
            try await site.sql(Self.otherRules)
            let changed = try await check(site)
            #expect(changed.zones == ["Europe/Berlin"])
            let minutes = try #require(changed.recheckAt).microseconds / 60_000_000 - (try await site.now()).microseconds / 60_000_000
            #expect((55...60).contains(minutes))
            // Other checks until then do not change the time.
            #expect(try await check(site) == Sequencer.ZoneCheck(zones: [], recheckAt: changed.recheckAt))

            // A session with the old rules publishes. The recorded rules are the new ones.
            try await site.sql("SELECT publish('today', 'takeover', 1, '2090-01-01T18:00', '2090-01-02T18:00')")
            let spans = "SELECT (lower(during) AT TIME ZONE 'UTC')::text FROM publication_spans WHERE storefront = 'de'"
            let right = try await site.rows(spans)
            try await site.sql("UPDATE publication_spans SET during = tstzrange(lower(during) + interval '1 hour', upper(during))")
            #expect(try await check(site).zones == [])
            #expect(try await site.rows(spans) != right)
            try await site.sql("UPDATE zone_rules SET recheck_at = now() WHERE recheck_at IS NOT NULL")
            #expect(try await check(site) == Sequencer.ZoneCheck(zones: ["Europe/Berlin"]))
            #expect(try await site.rows(spans) == right)
            #expect(try await site.rows("SELECT storefront FROM moved_spans WHERE is_moved") == ["de"])
            #expect(try await check(site) == Sequencer.ZoneCheck())
        }
    }

    @Test("A zone whose rules have changed is checked again an hour later, even if no storefront used it for a while")
    func reused() async throws {
        try await Site.run(Self.feed) { site in
            _ = try await check(site)
            try await site.sql(Self.otherRules)
            let changed = try await check(site)
            #expect(changed.recheckAt != nil)
            try await site.sql("UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'de'")
            #expect(try await check(site) == Sequencer.ZoneCheck(zones: ["Asia/Tokyo"], recheckAt: changed.recheckAt))
            // The rules are known, but an older session of a server may have computed the spans.
            try await site.sql("UPDATE storefronts SET time_zone = 'Europe/Berlin' WHERE key = 'de'")
            #expect(try await check(site) == Sequencer.ZoneCheck(zones: [], recheckAt: changed.recheckAt))
            let due = "UPDATE zone_rules SET recheck_at = now() WHERE recheck_at IS NOT NULL"
            try await site.sql(due)
            #expect(try await check(site) == Sequencer.ZoneCheck(zones: ["Europe/Berlin"]))

            // If no storefront uses the zone by then, it is forgotten.
            try await site.sql(Self.otherRules)
            _ = try await check(site)
            try await site.sql("UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'de'; \(due)")
            #expect(try await check(site).recheckAt == nil)
            let zones = try await site.rows("SELECT time_zone FROM zone_rules ORDER BY 1")
            #expect(zones == ["America/New_York", "Asia/Riyadh", "Asia/Tokyo"])
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
