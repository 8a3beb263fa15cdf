import EventLoop
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("A change of a storefront", .databaseForEachTest)
struct StorefrontPublishingTests {
    private static let apps = "SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}'), pg_temp.food_app('d', '{\"en\": \"Dumplings\"}');"

    private func versions(_ site: Site) async throws -> [String] {
        try await site.rows("SELECT storefront || ' ' || version FROM vitrine.published_storefronts ORDER BY storefront")
    }

    @Test("A storefront is published by the first drain without a version, and by a later one with a version, and again by none")
    func first() async throws {
        try await Site.run(Self.apps) { site in
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).versions == 2)
            #expect(try await versions(site) == ["de 0", "sa 0", "us 0"])
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
            // After a restore of this head, a cursor of a storefront that is added later is ahead of the history.
            try await site.sql(
                """
                BEGIN;
                INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('jp', 'JPY', 'Asia/Tokyo', 'ja');
                INSERT INTO storefront_locales VALUES ('jp', 'ja', 1);
                COMMIT;
                """)
            #expect(try await another.drain(site.connection, until: .soon).versions == 1)
            #expect(try await versions(site) == ["de 0", "jp 3", "sa 0", "us 0"])
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test(
        "It gets a version if clients receive the same documents in another form",
        arguments: [
            ("UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us'", ["us"]),
            ("UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'us'", ["us"]),
            ("UPDATE storefronts SET default_locale = 'es' WHERE key = 'us'", ["us"]),
            ("UPDATE storefronts SET currency = 'CAD' WHERE key = 'us'", ["us"]),
            ("UPDATE storefronts SET rating_scheme = 'usk' WHERE key <> 'sa'", ["de", "us"]),
            ("UPDATE rating_labels SET minimum_age = 5 WHERE (scheme, label) = ('apple-2015', '4+')", ["de", "sa", "us"]),
            ("UPDATE rating_labels SET label = '5+' WHERE (scheme, label) = ('apple-2015', '4+')", ["de", "sa", "us"]),
            ("INSERT INTO rating_labels VALUES ('apple-2015', '14+', 14)", ["de", "sa", "us"]),
            ("UPDATE rating_labels SET minimum_age = 13 WHERE (scheme, label) = ('pegi', '12')", ["de", "sa", "us"]),
            ("UPDATE rating_labels SET minimum_age = 11 WHERE (scheme, label) = ('pegi', '12')", []),
            ("INSERT INTO rating_labels VALUES ('pegi', '14', 14)", []), ("DELETE FROM rating_labels WHERE scheme = 'usk'", []),
            ("INSERT INTO rating_schemes VALUES ('cero'); INSERT INTO rating_labels VALUES ('cero', 'A', 0)", []),
            ("INSERT INTO storefront_locales VALUES ('us', 'de', 3)", []),
            ("UPDATE storefronts SET time_zone = 'Asia/Tokyo', closed_at = now() WHERE key = 'us'", []),
        ] as [(String, [String])])
    func form(change: String, changed: [String]) async throws {
        try await Site.run(Self.apps) { site in
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.connection, until: .soon).head
            try await site.sql("BEGIN; \(change); COMMIT;")
            let report = try await sequencer.drain(site.connection, until: .soon)
            let expected = ["de", "sa", "us"].map { key in
                "\(key) \(changed.firstIndex(of: key).map { head + 1 + $0 } ?? 0)"
            }
            #expect(try await versions(site) == expected)
            // The versions of items follow those of the storefronts.
            #expect(report.head - head == report.versions && report.versions >= changed.count)
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
            // The published storefronts are those of the catalog, whether or not the form has changed.
            let others = try await site.rows(
                """
                SELECT storefront FROM vitrine.published_storefronts AS published JOIN vitrine.storefront_documents() AS documents USING (storefront)
                JOIN vitrine.storefronts ON key = storefront AND closed_at IS NULL
                WHERE published.document::text <> documents.document::text
                """)
            #expect(others.isEmpty)
        }
    }

    @Test("A storefront that is opened again in another form gets a version then")
    func reopened() async throws {
        try await Site.run(Self.apps) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("UPDATE storefronts SET closed_at = now(), time_zone = 'Asia/Tokyo' WHERE key = 'us'")
            let head = try await sequencer.drain(site.connection, until: .soon).head
            try await site.sql("UPDATE storefronts SET closed_at = NULL WHERE key = 'us'")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await versions(site) == ["de 0", "sa 0", "us \(head + 1)"])
        }
    }

    @Test("A change that was not published by the last leader, and an unreadable storefront, are published by the next one")
    func nextLeader() async throws {
        try await Site.run(Self.apps) { site in
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.connection, until: .soon).head
            try await site.sql(
                """
                UPDATE storefronts SET currency = 'CAD' WHERE key = 'us';
                DELETE FROM vitrine.sync_outbox;
                UPDATE published_storefronts SET document = '{}' WHERE storefront = 'de';
                """)
            sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await versions(site) == ["de \(head + 1)", "sa 0", "us \(head + 2)"])
        }
    }
}
