import Catalog
import Feeds
import Items
import JSON
import Publishing
import TestDatabase
import Testing

@testable import Sync

@Suite("The reader of changes", .databaseForEachTest)
struct SyncReaderTests {
    private static let catalog = """
        SELECT pg_temp.top_app('a' || n, '{"en": "App"}', rating => 4, ratings => n) FROM generate_series(1, 9) AS n;
        SELECT vitrine.derive_items(1000);
        """
    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "apps", "title": {"en": "Apps"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 9}]}
        """#

    @Test(
        "A reading ends at its byte limit and returns that version as its end", arguments: [SyncScope.testing(), .testing("us", ["today"])])
    func bytes(scope: SyncScope) async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.session).head
            try await site.sql("UPDATE published SET document = json_build_object('text', repeat(md5(id), 40)) WHERE kind = 'item'")
            let all = try await site.reader.read(scope, after: nil, within: .init(changes: 1_000))
            #expect(all.end == head && all.rows.count >= 9)
            // Only the first row fits.
            var cursor: SyncCursor?
            var met: [String] = []
            while true {
                let part = try await site.reader.read(scope, after: cursor, within: .init(changes: 1_000, bytes: 1))
                let page = try SyncPage(part.rows, upTo: part.end, after: cursor, at: part.head, within: .init()) { $1.value($0.id) }
                #expect(part.rows.count <= 1 && page.cursor.version == part.end)
                met += part.rows.map(\.id)
                cursor = page.cursor
                if !page.hasMore { break }
                #expect(part.end < head)
            }
            #expect(met == all.rows.map(\.id))
        }
    }

    @Test("A page of items reads hardly more rows than it sends", arguments: [SyncScope.testing(), .testing("us", ["today"])])
    func readItems(scope: SyncScope) async throws {
        try await SyncSite.run(Self.catalog) { site in
            if case .feeds = scope.content { try await site.publish(Self.today) }
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            let budget = SyncPage.Budget(changes: 1_000, bytes: 4_096)
            let part = try await site.reader.read(scope, after: nil, within: budget)
            let storefront = try #require(part.storefront)
            let renderer = ChangeRenderer(storefront, LocaleFallback(scope.locale, in: storefront))
            let page = try SyncPage(part.rows, upTo: part.end, after: nil, at: part.head, within: budget, write: renderer.write)
            #expect(page.hasMore && page.changes.count > 1)
            #expect(part.rows.count <= page.changes.count + 3)
        }
    }

    @Test(
        "A list has at most one entry more than its limit, to show that there are more",
        arguments: [SyncScope.testing(), .testing("us", ["today"])])
    func listing(scope: SyncScope) async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.session).head
            let listing = try await site.reader.entries(of: scope, in: [0, 1], bits: 1, limit: 3).listing()
            #expect(listing.head == head && listing.entries.count == 4)
            let none = try await site.reader.entries(of: .testing("us", ["nothing"]), in: [0, 1], bits: 1, limit: 3).listing()
            #expect(none.head == head && none.entries.isEmpty)
        }
    }

    @Test("An item that leaves a storefront a second time is removed, after it was available everywhere in between")
    func goneAgain() async throws {
        try await SyncSite.run(
            "SELECT pg_temp.food_app('f', '{\"en\": \"Dish\"}', storefront => 'us'); SELECT vitrine.derive_items(1000);"
        ) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            let toGermany = """
                BEGIN;
                UPDATE items SET is_everywhere = false;
                DELETE FROM item_availability;
                INSERT INTO item_availability (item_id, storefront, during) SELECT id, 'de', '{(,)}' FROM items;
                COMMIT
                """
            try await site.sql(toGermany)
            _ = try await sequencer.drain(site.session)
            try await site.sql("BEGIN; DELETE FROM item_availability; UPDATE items SET is_everywhere = true; COMMIT")
            let head = try await sequencer.drain(site.session).head
            let all = try await site.reader.read(.testing(), after: nil, within: .init())
            #expect(all.rows.map { $0.content == nil } == [false])
            try await site.sql(toGermany)
            _ = try await sequencer.drain(site.session)
            let cursor = SyncCursor(epoch: try #require(all.head.history.current), version: head)
            let delta = try await site.reader.read(.testing(), after: cursor, within: .init())
            #expect(delta.rows.map { $0.content == nil } == [true])
        }
    }

    @Test("A price period changes an item of a local copy at its start and at its end, with other hashes and digests")
    func pricePeriod() async throws {
        let script = """
            BEGIN;
            SELECT pg_temp.top_app('a', '{"en": "A"}'), pg_temp.top_app('b', '{"en": "B"}');
            INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items;
            INSERT INTO item_price_periods
            VALUES (md5('a')::uuid, 'us', 'price', tstzrange(now() + interval '1 hour', now() + interval '2 hours'), 299, 'USD', 499);
            COMMIT;
            """
        let buckets = "SELECT string_agg(bucket || ' ' || high || ' ' || low, ', ' ORDER BY bucket) FROM sync_buckets"
        try await SyncSite.run(script) { site in
            var sequencer = try site.sequencer()
            var head = try await sequencer.drain(site.session).head
            let first = try await site.reader.read(.testing(), after: nil, within: .init())
            #expect(first.rows.count == 2)
            var hashes = Set(first.rows.compactMap { $0.content?.hash })
            var digests: Set = [try await site.rows(buckets)]
            for (minutes, previous) in [(90, 499), (150, nil)] as [(Int, Int?)] {
                sequencer.clockAhead = .seconds(59 * 60)
                if minutes == 90 { #expect(try await sequencer.drain(site.session).versions == 0) }
                sequencer.clockAhead = .seconds(minutes * 60)
                let report = try await sequencer.drain(site.session)
                #expect(report.versions == 1 && report.head == head + 1)
                let cursor = SyncCursor(epoch: try #require(first.head.history.current), version: head)
                let delta = try await site.reader.read(.testing(), after: cursor, within: .init())
                let row = try #require(delta.rows.first)
                #expect(delta.rows.count == 1 && row.kind == .item)
                let item = try Item(version: row.version, document: try #require(row.content).document)
                #expect(item.slug == "a" && item.price(.price, in: "us")?.previousMinor == previous)
                hashes.insert(try #require(row.content).hash)
                digests.insert(try await site.rows(buckets))
                head = report.head
            }
            #expect(hashes.count == 4 && digests.count == 3)
        }
    }

    @Test("A first load during a purge has the items that one of its feeds no longer has")
    func purgeDuringLoad() async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.publish(Self.today)
            try await site.publish(Self.today.replacing(#""feed": "today""#, with: #""feed": "other""#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            try await site.publish(Self.today.replacing(#""kind": "topApp""#, with: #""kind": "foodApp""#))
            _ = try await sequencer.drain(site.session)
            let scope = SyncScope.testing("us", ["other", "today"])
            var client = SyncClient(scope)
            // The memberships of the other feed have versions before the end of this page.
            #expect(try await !client.step(site, limit: 12))
            #expect(try await site.rows("SELECT purge_published(interval '0', 1000)::text") != ["0"])
            while try await !client.step(site, limit: 12) {}
            #expect(try await client.content == site.expected(scope, hoursAhead: 0))
        }
    }

    @Test("A purge deletes tombstones, but keeps the newest row of a feed, whose version its pages have")
    func purge() async throws {
        try await SyncSite.run(Self.catalog) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            try await site.sql("UPDATE feeds SET archived_at = now() WHERE key = 'today'")
            let head = try await sequencer.drain(site.session).head
            let newest = "SELECT storefront || ' ' || max(version) FROM published WHERE feed = 'today' GROUP BY storefront ORDER BY 1"
            let before = try await site.rows(newest)
            #expect(before.contains("us \(head)"))
            let purged = try await site.rows("SELECT purge_published(interval '0', 1000)::text")
            #expect(try await site.rows(newest) == before && purged != ["0"])
            #expect(try await site.rows("SELECT count(*)::text FROM published WHERE feed = 'today'") == ["\(before.count)"])
        }
    }
}
