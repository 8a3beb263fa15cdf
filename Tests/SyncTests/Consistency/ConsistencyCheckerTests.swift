import Catalog
import EventLoop
import Feeds
import Items
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Testing

@testable import Sync

@Suite("The consistency check", .databaseForEachTest)
struct ConsistencyCheckerTests {
    private static let catalog = """
        SELECT pg_temp.top_app('a' || n, format('{"en": "App %s"}', n)::jsonb, rating => 4, ratings => n) FROM generate_series(1, 9) AS n;
        SELECT pg_temp.food_app('ramen', '{"en": "Ramen"}', storefront => 'us', rating => 4, ratings => 10);
        SELECT vitrine.derive_items(1000);
        """
    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "apps", "title": {"en": "Apps"}, "header": false, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 5}]}
        """#

    struct Damage: Sendable, CustomStringConvertible {
        let description: String
        let sql: String
        let found: [String]
        /// The number of bucket digests that differ.
        var buckets = 0
    }

    private static let one = "(SELECT id FROM items WHERE slug = 'a1')"
    private static let placed = """
        (SELECT item_id FROM published WHERE kind = 'placement' AND storefront = 'us' ORDER BY id LIMIT 1)
        """
    private static let ramen = "(SELECT id FROM items WHERE slug = 'ramen')"

    private static let damages: [Damage] = [
        Damage(
            description: "the document of an item", sql: "UPDATE published SET document = '{}' WHERE id = \(one)::text AND kind = 'item'",
            found: ["item * damaged"]),
        Damage(
            description: "an item with its hash",
            sql: """
                UPDATE published SET document = '{}', hash = substring(digest_of('{}') FOR 16) WHERE id = \(one)::text AND kind = 'item'
                """, found: ["item * other"], buckets: 1),
        Damage(
            description: "the hash of an item",
            sql: "UPDATE published SET hash = '\\x00112233445566778899aabbccddeeff' WHERE id = \(one)::text",
            found: ["item * damaged"], buckets: 1),
        Damage(
            description: "where an item is", sql: "UPDATE published SET is_everywhere = false WHERE id = \(one)::text AND kind = 'item'",
            found: ["item * other"], buckets: 1),
        Damage(
            description: "an item that is not there", sql: "DELETE FROM published WHERE id = \(one)::text AND kind = 'item'",
            found: ["item * missing"], buckets: 1),
        Damage(
            description: "an item that was withdrawn unheard",
            sql: """
                UPDATE items SET deleted_at = now() WHERE id = (
                    SELECT id FROM items WHERE kind = 'topApp' AND id NOT IN (SELECT item_id FROM published WHERE kind = 'placement') LIMIT 1);
                COMMIT; BEGIN; DELETE FROM sync_outbox
                """, found: ["item * surplus"]),
        Damage(
            description: "a membership that is not there", sql: "DELETE FROM published WHERE id = '*/' || \(ramen) AND storefront = 'us'",
            found: ["membership us missing"], buckets: 1),
        Damage(
            description: "a membership that should not be there",
            sql: """
                INSERT INTO published (kind, id, storefront, item_id, version, document, hash)
                SELECT kind, id, 'de', item_id, (SELECT version + 1 FROM sync_head), document, hash
                FROM published WHERE id = '*/' || \(ramen) AND storefront = 'us'; UPDATE sync_head SET version = version + 1
                """, found: ["membership de surplus"], buckets: 1),
        Damage(
            description: "a membership of another item",
            sql: "UPDATE published SET item_id = \(one) WHERE id = '*/' || \(ramen) AND storefront = 'us'", found: ["membership us damaged"]
        ),
        Damage(
            description: "the document of a section",
            sql: "UPDATE published SET document = '{}' WHERE kind = 'section' AND storefront = 'us'",
            found: ["section us damaged"]),
        Damage(
            description: "a section with its hash",
            sql: """
                UPDATE published SET document = json_build_object('id', id), hash = substring(digest_of(json_build_object('id', id)::text) FOR 16)
                WHERE kind = 'section' AND storefront = 'us'
                """, found: ["section us other"]),
        Damage(
            description: "a placement that is not there",
            sql: "DELETE FROM published WHERE kind = 'placement' AND storefront = 'us' AND item_id = \(placed)",
            found: ["placement us missing"]),
        Damage(
            description: "the item of a placement",
            sql: "UPDATE published SET item_id = \(ramen) WHERE kind = 'placement' AND storefront = 'us' AND item_id = \(placed)",
            found: ["placement us damaged"]),
        Damage(
            description: "a placement that should not be there",
            sql: """
                INSERT INTO published (kind, id, storefront, feed, item_id, version, document, hash)
                SELECT kind, 'gone/apps/1', storefront, 'gone', item_id, (SELECT version + 1 FROM sync_head), document, hash
                FROM published WHERE kind = 'placement' AND storefront = 'us' LIMIT 1; UPDATE sync_head SET version = version + 1
                """, found: ["placement us surplus"]),
        Damage(
            description: "a placement that is damaged and that nobody wants",
            sql: """
                INSERT INTO published (kind, id, storefront, feed, item_id, version, document, hash)
                SELECT kind, 'today/gone/1', storefront, feed, item_id, (SELECT version + 1 FROM sync_head), '{}', hash
                FROM published WHERE kind = 'placement' AND storefront = 'us' LIMIT 1; UPDATE sync_head SET version = version + 1
                """, found: ["placement us damaged"]),
        Damage(
            description: "a layout that is damaged and that nobody wants",
            sql: """
                INSERT INTO published (kind, id, storefront, version, document, hash)
                SELECT kind, repeat('0', length(id)), storefront, (SELECT version + 1 FROM sync_head), '{}', hash
                FROM published WHERE kind = 'layout' LIMIT 1; UPDATE sync_head SET version = version + 1
                """, found: ["layout * damaged"]),
        Damage(
            description: "the membership of a feed",
            sql: "DELETE FROM published WHERE id = 'today/' || \(placed) AND storefront = 'us'", found: ["membership us missing"]),
        Damage(
            description: "a feed", sql: "UPDATE published SET document = '{\"feed\": \"today\"}' WHERE kind = 'feed' AND storefront = 'us'",
            found: ["feed us damaged"]),
        Damage(
            description: "a layout", sql: "UPDATE published SET document = '{}' WHERE kind = 'layout'", found: ["layout * damaged"]),
        Damage(
            description: "a storefront with another currency",
            sql: """
                UPDATE published_storefronts SET document = jsonb_set(document::jsonb, '{currency}', '"CAD"')::json WHERE storefront = 'us'
                """, found: ["storefront us other"]),
        Damage(
            description: "an unreadable storefront", sql: "UPDATE published_storefronts SET document = '{}' WHERE storefront = 'de'",
            found: ["storefront de other"]),
        Damage(
            description: "a storefront that is not published", sql: "DELETE FROM published_storefronts WHERE storefront = 'us'",
            found: ["storefront us missing"]),
        Damage(
            description: "a bucket", sql: "UPDATE sync_buckets SET high = high # 1 WHERE storefront = 'us'", found: [], buckets: 1),
        Damage(description: "a bucket that is not there", sql: "DELETE FROM sync_buckets WHERE storefront = 'us'", found: [], buckets: 1),
        Damage(
            description: "a bucket with nothing in it", sql: "INSERT INTO sync_buckets VALUES ('us', 77, 1, 2, 3)", found: [], buckets: 1),
        Damage(
            description: "the digest of a catalog", sql: "UPDATE sync_catalogs SET low = low # 1 WHERE storefront = 'us'", found: [],
            buckets: 1),
        Damage(
            description: "the number of entities of a catalog", sql: "UPDATE sync_catalogs SET entries = 0 WHERE storefront = '*'",
            found: [],
            buckets: 1),
        Damage(
            description: "the digest of a catalog that is not there", sql: "DELETE FROM sync_catalogs WHERE storefront = 'us'", found: [],
            buckets: 1),
        Damage(
            description: "the digest of a catalog without buckets", sql: "INSERT INTO sync_catalogs VALUES ('sa', 1, 2, 3)", found: [],
            buckets: 1),
    ]

    private struct Findings {
        var documents: [String] = []
        var buckets = 0
        var report = ConsistencyReport()
    }

    private func audit(_ site: SyncSite, isDry: Bool = false) async throws -> Findings {
        var findings = Findings()
        var audit = ConsistencyChecker(
            try site.sequencer(), site.session, isDry: isDry, pause: {},
            found: { finding in
                switch finding {
                case .document(let difference):
                    findings.documents.append("\(difference.kind) \(difference.storefront) \(difference.flaw)")
                case .storefront(let key, let flaw): findings.documents.append("storefront \(key) \(flaw)")
                case .bucket: findings.buckets += 1
                }
            })
        findings.report = try await audit.run()
        return findings
    }

    /// Returns all documents and digests that clients receive.
    private func published(_ site: SyncSite) async throws -> [String] {
        try await site.rows(
            """
            SELECT concat_ws(' ', kind, id, storefront, item_id, is_everywhere, encode(hash, 'hex'), document::text)
            FROM published WHERE document IS NOT NULL ORDER BY kind, id, storefront
            """)
            + (try await site.rows(
                "SELECT concat_ws(' ', storefront, bucket, entries, high, low) FROM sync_buckets WHERE entries > 0 ORDER BY storefront, bucket"
            ))
            + (try await site.rows(
                "SELECT concat_ws(' ', storefront, entries, high, low) FROM sync_catalogs WHERE entries <> 0 ORDER BY storefront"))
    }

    @Test("Price periods that have started or ended are no differences, and the check does not read the clock")
    func pricePeriods() async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.sql(
                """
                INSERT INTO item_price_periods
                SELECT md5(name)::uuid, 'us', 'price', tstzrange(now() + begins, now() + ends), 299, 'USD', 499
                FROM (VALUES
                    ('a1', interval '-1 hour', interval '1 hour'), ('a2', '-2 hours', '-1 hour'), ('a3', '1 hour', '2 hours'),
                    ('a4', '0 seconds', '1 hour'), ('a5', '1 millisecond', '1 hour')
                ) AS periods (name, begins, ends)
                """)
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            #expect(try await audit(site).report.differences == 0)
            // A drain an hour ahead of the clock of the check.
            sequencer.clockAhead = .seconds(5_400)
            #expect(try await sequencer.drain(site.session).versions >= 4)
            #expect(try await audit(site).report.differences == 0)
        }
    }

    @Test("The check finds exactly the damage, and the sequencer repairs it", arguments: damages)
    func repairs(damage: Damage) async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            let before = try await published(site)
            #expect(try await audit(site).report.differences == 0)
            try await site.sql("BEGIN; \(damage.sql); COMMIT")
            let damaged = try await published(site)
            #expect(try await audit(site, isDry: true).documents == damage.found)
            #expect(try await published(site) == damaged)
            #expect(try await site.rows("SELECT kind FROM sync_outbox").isEmpty)
            let found = try await audit(site)
            #expect(found.documents == damage.found && found.buckets == damage.buckets)
            // A sequencer that has drained before assumes that its own documents are published.
            let report = try await sequencer.drain(site.session)
            #expect(report.versions > 0 || damage.found.isEmpty)
            if damage.description != "an item that was withdrawn unheard" { #expect(try await published(site) == before) }
            let again = try await audit(site)
            #expect(again.documents.isEmpty && again.buckets == 0)
            #expect(again.report[.items].compared == 10 && again.report[.memberships].compared == 1)
            #expect(again.report[.storefronts] == .init(compared: 3, differences: 0))
            #expect(again.report.late.isEmpty && again.report[.feeds].compared > 10)
        }
    }

    @Test("The check corrects buckets during a drain, which waits and does not fail")
    func concurrent() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await SyncSite.run(Self.catalog) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            let watcher = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { watcher.close() }
            try await site.sql("UPDATE items SET rating_count = rating_count + 1")
            try await other.runScript(
                "settle",
                "BEGIN; SELECT vitrine.settle_buckets(array_agg(storefront), array_agg(bucket)) FROM vitrine.sync_buckets", until: .soon)
            async let settled: Void = Self.commit(other, whenAwaitedOn: watcher)
            // A retry would hide a failure.
            #expect(try await sequencer.drain(site.session).versions == 10)
            try await settled
            #expect(try await audit(site).report.differences == 0)
        }
    }

    private static func commit(_ connection: PostgresConnection, whenAwaitedOn watcher: PostgresConnection) async throws {
        let waiting = PostgresQuery("waiting", LockWaits.sql)
        try await wait(while: try await watcher.rows(of: waiting, as: String.self, until: .soon).isEmpty)
        try await connection.runScript("commit", "COMMIT", until: .soon)
    }

    @Test("The check compares a catalog of many slices to its end")
    func slices() async throws {
        let apps = "SELECT pg_temp.top_app('s' || n, '{\"en\": \"App\"}', rating => 4, ratings => n) FROM generate_series(1, 25) AS n;"
        try await SyncSite.run(apps) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            for slice: Int32 in [1, 3, 24, 25, 26] {
                var limits = ConsistencyChecker.Limits()
                limits.items = slice
                var audit = ConsistencyChecker(
                    sequencer, site.session, isDry: true, limits: limits, pause: {})
                #expect(try await audit.run()[.items].compared == 25, "\(slice)")
            }
        }
    }

    @Test(
        "The check finds all items that only the catalog or only the published documents have, in slices of any size",
        arguments: ["TRUNCATE published", "DELETE FROM items"], [1, 3, 24, 25, 26] as [Int32])
    func oneSide(loss: String, slice: Int32) async throws {
        let apps = "SELECT pg_temp.top_app('s' || n, '{\"en\": \"App\"}', rating => 4, ratings => n) FROM generate_series(1, 25) AS n;"
        try await SyncSite.run(apps) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            try await site.sql("BEGIN; \(loss); TRUNCATE sync_outbox; COMMIT; TRUNCATE sync_outbox")
            var limits = ConsistencyChecker.Limits()
            (limits.items, limits.maxRepairs) = (slice, 3)
            var audit = ConsistencyChecker(sequencer, site.session, isDry: false, limits: limits, pause: {})
            let report = try await audit.run()
            #expect(report[.items].compared == 25 && report[.items].differences == 25)
            let republished = "SELECT count(DISTINCT id)::text FROM sync_outbox, unnest(ids) AS id WHERE kind = 'doubtedItem'"
            #expect(try await site.rows(republished) == ["25"])
        }
    }

    @Test("Changes that wait for publication are not reported as differences")
    func late() async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            try await site.sql("UPDATE items SET rating_count = 77 WHERE slug = 'a1'; DELETE FROM items WHERE slug = 'a2'")
            let found = try await audit(site)
            #expect(found.report.differences == 0 && found.report.late.contains("us"))
            _ = try await sequencer.drain(site.session)
            #expect(try await audit(site).report.differences == 0)
        }
    }
}
