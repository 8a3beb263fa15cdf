import Postgres
import TestDatabase
import Testing

@Suite("A storefront that is opened again", .databaseForEachTest)
struct ReopenedStorefrontTests {
    private static let feeds = """
        INSERT INTO feeds (key) VALUES ('today'), ('games');
        INSERT INTO revisions (feed, number, line, document)
        SELECT key, n, 'main', format('{"feed": "%s"}', key) FROM feeds, generate_series(1, 5) AS n;
        """
    private static let close = "UPDATE storefronts SET closed_at = clock_timestamp() WHERE key = 'us';"
    private static let open = "UPDATE storefronts SET closed_at = NULL WHERE key = 'us'"

    /// Returns the revision and the period of each future or live span of `us`: `today base 2 now 2090-01-01 23:00`.
    private static func spans(_ site: Site) async throws -> [String] {
        try await site.rows(
            """
            SELECT concat_ws(' ', feed, layer, revision, CASE WHEN lower(during) > '2050-01-01' THEN (lower(during) AT TIME ZONE 'UTC')::text ELSE 'now' END,
                'until', (upper(during) AT TIME ZONE 'UTC')::text)
            FROM publication_spans JOIN publications USING (feed, layer)
            WHERE id = publication AND storefront = 'us' AND coalesce(upper(during), 'infinity') > clock_timestamp()
            ORDER BY feed, layer, lower(during)
            """)
    }

    @Test("It gets the publications for all that were made while it was closed, from now on and in its zone")
    func missed() async throws {
        try await Site.run(Self.feeds) { site in
            try await site.sql(
                """
                SELECT publish('today', 'base', 1), publish('today', 'base', 5, '2090-03-01T00:00:00Z');
                \(Self.close)
                SELECT publish('today', 'base', 2), publish('today', 'base', 3, '2090-01-01T18:00'),
                    publish('today', 'takeover', 4, '2091-01-01T00:00', '2091-02-01T00:00');
                SELECT publish('today', 'takeover', 4, '2092-01-01T00:00', NULL, '{de}');
                """)
            let before = try await site.rows("SELECT lower(during)::text FROM publication_spans WHERE storefront = 'us' ORDER BY 1")
            try await site.sql(Self.open)
            #expect(
                try await Self.spans(site) == [
                    "today base 2 now until 2090-01-01 23:00:00", "today base 3 2090-01-01 23:00:00 until 2090-03-01 00:00:00",
                    "today base 5 2090-03-01 00:00:00 until", "today takeover 4 2091-01-01 05:00:00 until 2091-02-01 05:00:00",
                ])
            // The history stays: the first base was live until now.
            let history = try await site.rows(
                "SELECT lower(during)::text FROM publication_spans WHERE storefront = 'us' AND upper(during) <= clock_timestamp()")
            #expect(history.count == 1 && before.contains(history[0]))
            // Opening an open storefront changes nothing.
            try await site.sql(Self.open)
            #expect(try await Self.spans(site).count == 4)
        }
    }

    @Test("A base for listed storefronts stays, unless the missed publication replaces such bases")
    func localBase() async throws {
        try await Site.run(Self.feeds) { site in
            try await site.sql(
                """
                SELECT publish(key, 'base', 1, NULL, NULL, '{us}') FROM feeds;
                \(Self.close)
                SELECT publish('games', 'base', 2), publish('today', 'base', 2), publish('today', 'base', 3, replaces_local => true);
                \(Self.open)
                """)
            #expect(try await Self.spans(site) == ["games base 1 now until", "today base 3 now until"])
        }
    }

    @Test("A missed publication that was canceled has no span, but ended the base before it if it had started")
    func canceled() async throws {
        try await Site.run(Self.feeds) { site in
            try await site.sql(
                """
                SELECT publish(key, 'base', 1) FROM feeds;
                \(Self.close)
                SELECT publish('games', 'base', 2); SELECT publish('today', 'base', 2, '2090-01-01T00:00Z'); SELECT publish('today', 'takeover', 3);
                SELECT cancel_publication(id) FROM publications WHERE revision > 1;
                \(Self.open)
                """)
            #expect(try await Self.spans(site) == ["today base 1 now until"])
        }
    }

    @Test("A publication that was canceled in it before it was closed does not return, and an overlap leaves the earlier takeover")
    func kept() async throws {
        try await Site.run(Self.feeds) { site in
            try await site.sql(
                """
                SELECT publish('today', 'base', 1, '2090-01-01T00:00:00Z'), publish('today', 'takeover', 2, '2091-01-01T00:00:00Z', '2091-02-01T00:00:00Z', '{us}');
                SELECT cancel_publication(min(id), '{us}') FROM publications;
                \(Self.close)
                SELECT publish('today', 'takeover', 3, '2091-01-31T00:00:00Z', '2091-03-01T00:00:00Z');
                \(Self.open)
                """)
            #expect(try await Self.spans(site) == ["today takeover 2 2091-01-01 00:00:00 until 2091-02-01 00:00:00"])
        }
    }
}
