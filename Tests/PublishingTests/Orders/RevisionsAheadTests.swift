import Postgres
import TestDatabase
import TestSupport
import Testing

@Suite("The revisions of orders that a new storefront would show", .databaseForEachTest)
struct RevisionsAheadTests {
    private static let histories: UInt64 = TestVariable.number("ORDER_HISTORIES").map { $0 / 10 } ?? 10
    private static let zones = ["Etc/GMT+12", "Pacific/Kiritimati", "UTC"] + OrderHistory.zones

    /// Creates a function that returns what a new storefront in a zone would show, and adds none.
    private static let script =
        OrderDatabase.script + """
            CREATE FUNCTION shown_in(zone text) RETURNS SETOF text LANGUAGE plpgsql AS $$
            DECLARE
                shown text[];
            BEGIN
                BEGIN
                    INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale) VALUES ('zz', 'USD', zone, 'en');
                    shown := ARRAY(
                        SELECT DISTINCT publications.feed || ' ' || revision
                        FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication WHERE storefront = 'zz');
                    RAISE EXCEPTION 'remove it again' USING ERRCODE = 'VT001';
                EXCEPTION WHEN SQLSTATE 'VT001' THEN
                    RETURN QUERY SELECT unnest(shown);
                END;
            END
            $$;
            """

    @Test("They include all that a new storefront in any zone shows after a random history", arguments: [1, Seeds.fresh])
    func histories(firstSeed: UInt64) async throws {
        try await withConnection { connection in
            try await connection.runScript("clock", Self.script, until: .soon)
            let clocks = try OrderHistory.zones.map { try ZoneClock($0) }
            var shown = 0
            for seed in (0..<Self.histories).map({ firstSeed &+ $0 }) {
                let history = OrderHistory(seed: seed, clocks: clocks)
                try await connection.runScript("begin", "BEGIN", until: .soon)
                let run = PostgresQuery(
                    "history", "SELECT vitrine.run_history($1::text[]::timestamptz[], $2::text[])", history.steps.map(\.now),
                    history.steps.map(\.statement))
                _ = try await connection.rows(of: run, as: [String].self, until: .soon)
                let query = PostgresQuery(
                    "ahead",
                    """
                    SELECT name, name IN (SELECT feed || ' ' || revision FROM vitrine.revisions_ahead())
                    FROM (SELECT DISTINCT name FROM unnest($1::text[]) AS zone CROSS JOIN vitrine.shown_in(zone) AS name) AS names
                    """, Self.zones)
                let names = try await connection.rows(of: query, as: String.self, Bool.self, until: .soon)
                try await connection.runScript("rollback", "ROLLBACK", until: .soon)
                shown += names.count
                #expect(names.allSatisfy { $0.1 }, "seed \(seed): \(names.filter { !$0.1 }.map(\.0))")
            }
            #expect(!Seeds.isFixed(firstSeed, of: 1) || shown > 0)
        }
    }

    @Test("A base for all storefronts is ahead until another one has started after it in all zones, and a takeover until it has ended")
    func ends() async throws {
        try await withConnection { connection in
            try await connection.runScript("clock", Self.script, until: .soon)
            try await connection.runScript(
                "orders",
                """
                SET test.now = '2029-12-01T00:00:00Z';
                BEGIN;
                INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('de', 'EUR', 'Europe/Berlin', 'de');
                INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('de', 'de', 1);
                COMMIT;
                SELECT publish('today', 'base', 1, '2030-01-01T08:00'), publish('today', 'base', 2, '2030-01-01T20:00'),
                    publish('today', 'takeover', 3, '2030-01-03T00:00', '2030-01-04T00:00');
                """, until: .soon)
            for (time, revisions) in [
                ("2030-01-01T09:00:00Z", [1, 2, 3]), ("2030-01-02T07:59:00Z", [1, 2, 3]), ("2030-01-02T08:00:00Z", [2, 3]),
                ("2030-01-04T11:59:00Z", [2, 3]), ("2030-01-04T12:00:00Z", [2]),
            ] {
                try await connection.runScript("time", "SET test.now = '\(time)'", until: .soon)
                let query = PostgresQuery("ahead", "SELECT revision FROM vitrine.revisions_ahead() ORDER BY revision")
                let found = try await connection.rows(of: query, as: Int32.self, until: .soon)
                #expect(found == revisions.map { Int32($0) }, "\(time)")
            }
            try await connection.runScript("cancel", "SELECT cancel_publication(id) FROM publications WHERE revision = 2", until: .soon)
            let rest = try await connection.rows(
                of: PostgresQuery("rest", "SELECT revision FROM vitrine.revisions_ahead()"), as: Int32.self, until: .soon)
            #expect(rest == [], "a base that was canceled after its start does not show the one before it")
        }
    }
}
