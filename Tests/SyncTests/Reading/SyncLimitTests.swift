import Catalog
import Feeds
import Items
import JSON
import Publishing
import TestDatabase
import Testing

@testable import Sync

@Suite("The limits of a page of changes", .databaseForEachTest)
struct SyncLimitTests {
    private static let everywhere = """
        SELECT pg_temp.top_app('a' || n, '{"en": "App"}', rating => 4, ratings => n) FROM generate_series(1, 9) AS n;
        SELECT vitrine.derive_items(1000);
        """
    /// A catalog of which every third item is in `us`.
    private static let somewhere = """
        SELECT pg_temp.food_app('f' || n, '{"en": "Dish"}', storefront => CASE n % 3 WHEN 0 THEN 'us' ELSE 'de' END, rating => 4, ratings => n)
        FROM generate_series(1, 27) AS n;
        SELECT vitrine.derive_items(1000);
        """
    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "apps", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 9}]}
        """#

    /// Returns the IDs of all pages in order, and the number of pages.
    private static func walk(
        _ site: SyncSite, limits: SyncReader.Limits = .init(), changes: Int, after start: SyncCursor? = nil,
        _ scope: SyncScope = .testing()
    ) async throws -> (ids: [String], pages: Int) {
        let reader = try site.reader(limits: limits)
        var (cursor, ids, pages) = (start, [String](), 0)
        while true {
            let part = try await reader.read(scope, after: cursor, within: .init(changes: changes))
            let page = try SyncPage(part.rows, upTo: part.end, after: cursor, at: part.head, within: .init(changes: changes)) { row, json in
                ids.append(row.id)
                json.null()
            }
            pages += 1
            if !page.hasMore { return (ids, pages) }
            #expect(page.cursor.version > cursor?.version ?? 0)
            cursor = page.cursor
        }
    }

    @Test(
        "Items that fill pages exactly are all included, everywhere or in some storefronts only",
        arguments: [everywhere, somewhere], 1...4)
    func changes(catalog: String, changes: Int) async throws {
        try await SyncSite.run(catalog) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            let walk = try await Self.walk(site, changes: changes)
            #expect(walk.ids.count == 9 && Set(walk.ids).count == 9)
        }
    }

    @Test("A page skips a limited number of rows of other storefronts, and no item is left out", arguments: [1, 2, 3, 27, 28])
    func passed(rows: Int) async throws {
        try await SyncSite.run(Self.somewhere) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            let walk = try await Self.walk(site, limits: .init(passedRows: rows), changes: 100)
            #expect(walk.ids.count == 9 && Set(walk.ids).count == 9)
            #expect((walk.pages > 1) == (rows <= 27))
        }
    }

    @Test("All changed items of a feed are included, whether they are few or many", arguments: 0...5)
    func few(changed: Int) async throws {
        try await SyncSite.run(Self.everywhere) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.session).head
            let scope = SyncScope.testing("us", ["today"])
            let start = try #require(try await site.reader.read(scope, after: nil, within: .init()).head.history.current)
            try await site.sql("UPDATE top_apps SET app_version = '2.0' FROM items WHERE id = item_id AND rating_count <= \(changed)")
            _ = try await sequencer.drain(site.session)
            let cursor = SyncCursor(epoch: start, version: head)
            let walk = try await Self.walk(site, limits: .init(fewItems: 3), changes: 100, after: cursor, scope)
            let expected = try await site.rows("SELECT id::text FROM items WHERE rating_count <= \(changed)")
            #expect(Set(walk.ids) == Set(expected) && walk.ids.count == changed)
        }
    }

    @Test("The changes of a feed are included among any number of changes of other items")
    func others() async throws {
        try await SyncSite.run(Self.everywhere + Self.somewhere) { site in
            try await site.publish(Self.today)
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.session).head
            let scope = SyncScope.testing("us", ["today"])
            let epoch = try #require(try await site.reader.read(scope, after: nil, within: .init()).head.history.current)
            // The items of the feed come last.
            try await site.sql("UPDATE items SET rating_count = 100 WHERE kind = 'foodApp'")
            _ = try await sequencer.drain(site.session)
            try await site.sql("UPDATE top_apps SET app_version = '2.0'")
            _ = try await sequencer.drain(site.session)
            for few in [1, 27, 36, 37, 500] {
                let walk = try await Self.walk(
                    site, limits: .init(fewItems: few), changes: 100, after: SyncCursor(epoch: epoch, version: head), scope)
                #expect(walk.ids.count == 9 && Set(walk.ids).count == 9, "\(few)")
            }
        }
    }
}
