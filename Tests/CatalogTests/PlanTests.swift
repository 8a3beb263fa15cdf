import EventLoop
import Host
import Postgres
import TestDatabase
import Testing
import Values

@testable import Catalog
@testable import Items

/// The queries of the catalog, on two catalogs, one of which is four times as large.
@Suite("The queries of the catalog")
struct PlanTests {
    private struct Read: Sendable {
        let name: String
        /// The minimum number of items that the query finds.
        let least: Int
        /// The maximum number of rows read in the larger catalog, if it may exceed twice that of the smaller one, as in a scan that finds
        /// nothing.
        let maximum: Int
        let run: @Sendable (CatalogReader) async throws -> Int

        init(_ name: String, least: Int = 1, maximum: Int = 0, _ run: @escaping @Sendable (CatalogReader) async throws -> Int) {
            self.name = name
            self.least = least
            self.maximum = maximum
            self.run = run
        }

        init(
            _ name: String, least: Int = 50, maximum: Int = 0, _ order: ItemOrder, in key: String = "us", _ locale: String = "en",
            _ change: @escaping @Sendable (inout ItemFilter) -> Void = { _ in }
        ) {
            self.init(name, least: least, maximum: maximum) { reader in
                var filter = ItemFilter()
                change(&filter)
                let storefront = try await reader.site(key)
                let locales = LocaleFallback(LocaleTag(locale) ?? .english, in: storefront)
                let first = try await reader.browse(filter, by: order, in: storefront, locales, after: nil, limit: 50)
                guard let next = first.next else { return first.items.count }
                return try await reader.browse(filter, by: order, in: storefront, locales, after: next, limit: 50).items.count
            }
        }

        init(search text: String, least: Int = 50, maximum: Int = 0, _ change: @escaping @Sendable (inout ItemFilter) -> Void = { _ in }) {
            self.init("search \(text)", least: least, maximum: maximum) { reader in
                var filter = ItemFilter()
                change(&filter)
                return try await reader.search(text, filter, in: try await reader.site("us"), after: nil, limit: 50).items.count
            }
        }
    }

    private static let facts = Read("of the facts in the list of curators", least: 200) { reader in
        let ids = (1...200).map { UUID(high: 0, low: $0) }
        return try await reader.session.run(PostgresQuery(NamedQuery("items.facts"), ids)).rowCount
    }

    private static let modes = ["force_custom_plan", "force_generic_plan"]

    private static let reads: [Read] = [
        Read("by rating", .rating),
        Read("by rating, of a category, not paid for, rated well", .rating) {
            ($0.category, $0.price, $0.minimumRating) = ("games", .free, 400)
        },
        Read("by rating, of a rare cuisine", least: 3, .rating) { $0.cuisine = "rare" },
        Read("by rating, of facets that never meet", least: 0, .rating) { ($0.cuisine, $0.priceBand) = ("rare", 4) },
        Read("by release, of food", .newest) { $0.kind = .foodApp },
        Read("by release, rated best", least: 1, .newest) { $0.minimumRating = 500 },
        Read("by release, not paid for where nearly all is", least: 1, .newest) {
            ($0.category, $0.price) = ("tools", .free)
        },
        Read("by title", .title),
        Read("by title in Spanish", .title, in: "us", "es"),
        Read("by title in Arabic", .title, in: "sa", "ar"),
        Read("by title in Japanese, which all items have", .title, in: "jp", "ja"),
        Read("by title of the food of a small storefront", least: 20, .title, in: "xs") { $0.kind = .foodApp },
        Read("by title, of a rare cuisine", least: 3, .title) { $0.cuisine = "rare" },
        Read("by title, not paid for where nearly all is", least: 1, maximum: 70_000, .title) {
            ($0.category, $0.price) = ("tools", .free)
        },
        Read("of a chart", .chart("top-free")),
        Read("of the categories", least: 4) { reader in try await reader.categories(of: nil, in: try await reader.site("us")).count },
        Read("of items by their IDs", least: 50) { reader in
            let ids = (1...75).map { UUID(high: 0, low: $0) }
            return try await reader.items(ids, in: try await reader.site("us")).count
        },
        Read("of an item by its slug, of any kind") { reader in
            let query = NamedQuery("items.find")
            return try await reader.session.run(PostgresQuery(query, UUID?.none, String?.none, "app-77")).rows(as: UUID.self).count
        },
        Read("of the list of curators, by serial number", least: 200) { reader in
            let query = NamedQuery("items.list")
            return try await reader.session.run(PostgresQuery(query, Int64(1_000), "topApp", false, 200, ["en"])).rowCount
        },
        Read("of the list of curators, by slug", least: 200) { reader in
            let query = NamedQuery("items.named")
            return try await reader.session.run(PostgresQuery(query, "app-", "topApp", false, "app-2", "topApp", 200, ["en"])).rowCount
        },
        Read(search: "title"),
        Read(search: "title word7"),
        Read(search: "b title"),
        Read(search: "title 1"),
        Read(search: "title", least: 3) { $0.cuisine = "rare" },
        Read(search: "title") { $0.minimumRating = 450 },
        // A ninth of the items has the word, and all but one of them are in another storefront.
        Read(search: "elsewhere", least: 1),
        // Every item has the word, and a ninth of the items is in the band that is searched first.
        Read(search: "titel", maximum: 7_000),
    ]

    /// Words, ratings and dates have the same distribution at any size. The numbers of rare, temporary and local items stay the same. Item
    /// 25 is the only free tool and item 7 has the best rating, both far from the start of any list.
    private static func fill(_ size: Int) -> String {
        """
        INSERT INTO storefronts VALUES ('jp', 'JPY', 'Asia/Tokyo', 'ja'), ('xs', 'EUR', 'Europe/Vaduz', 'en');
        INSERT INTO storefront_locales VALUES ('jp', 'ja', 1), ('jp', 'en', 2), ('xs', 'en', 1);
        INSERT INTO items (id, kind, source, slug, content_hash, rating_average, rating_count, is_everywhere)
        SELECT
            lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 3 = 0 THEN 'foodApp' ELSE 'topApp' END::item_kind, 'app-' || n, 'app-' || n,
            sha256(int8send(n)), CASE WHEN n = 7 THEN 5 ELSE n % 50 / 10.0 END, (2 ^ (n * 7919 % 18))::bigint, n % 3 <> 0
        FROM generate_series(1, \(size)) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT id, slug, 'Quay', '1', 1, date '2015-01-01' + (serial_number % 3000)::integer FROM items WHERE kind = 'topApp';
        INSERT INTO item_platforms (item_id, platform) SELECT id, 'ios' FROM items WHERE kind = 'topApp';
        INSERT INTO item_age_ratings (item_id, scheme, label) SELECT id, 'apple-2015', '4+' FROM items WHERE kind = 'topApp';
        INSERT INTO food_apps (item_id, brand, cuisines, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
        SELECT id, 'Saffron', CASE WHEN serial_number % \(size / 10) = 0 THEN '{rare}' ELSE '{thai}' END::text[], 1, 2,
            CASE WHEN serial_number % \(size / 10) = 0 THEN 1 ELSE 4 END, date '2015-01-01' + (serial_number % 3000)::integer
        FROM items WHERE kind = 'foodApp';
        INSERT INTO item_texts (item_id, locale, title, subtitle)
        SELECT id, 'en', chr(65 + (serial_number % 26)::integer) || ' title ' || serial_number,
            'word' || serial_number % 200 || ' ' || translate(serial_number::text, '0123456789', 'bcdfghjklm')
                || CASE WHEN serial_number % 9 = 6 OR serial_number = 4 THEN ' elsewhere' ELSE '' END
        FROM items
        UNION ALL
        SELECT id, 'ja', '題 ' || serial_number, NULL FROM items
        UNION ALL
        SELECT id, 'ar', 'عنوان ' || serial_number, NULL FROM items WHERE serial_number % 4 = 0;
        INSERT INTO item_categories (item_id, category, rank)
        SELECT id, CASE WHEN kind = 'foodApp' THEN 'dinner' WHEN serial_number % 2 = 0 THEN 'games' ELSE 'tools' END, 1 FROM items;
        INSERT INTO item_prices
        SELECT id, 'us', 'price', 99, 'USD' FROM items WHERE kind = 'topApp' AND serial_number % 2 = 1 AND serial_number <> 25;
        INSERT INTO item_availability (item_id, storefront, during)
        SELECT id, (ARRAY['us', 'de', 'sa'])[1 + serial_number / 3 % 3],
            CASE WHEN serial_number <= 90 THEN '{(,2030-01-01)}' ELSE '{(,)}' END::tstzmultirange
        FROM items WHERE kind = 'foodApp'
        UNION ALL
        SELECT id, 'xs', '{(,)}' FROM items WHERE kind = 'foodApp' AND serial_number > \(size) - 60;
        INSERT INTO charts VALUES ('us', 'top-free');
        INSERT INTO chart_entries SELECT 'us', 'top-free', row_number() OVER (), id FROM items WHERE kind = 'topApp' LIMIT 500;
        """
    }

    /// Gives each price a sale, which holds when the tests run.
    private static let sales = """
        INSERT INTO item_price_periods (item_id, storefront, role, during, amount_minor, currency, former_minor)
        SELECT item_id, storefront, role, '[2020-01-01 00:00Z, 2199-01-01 00:00Z)', 49, currency, amount_minor FROM item_prices;
        """

    /// The rows that the session has read and not reported yet, which within a transaction are all rows.
    private static let touched = PostgresQuery(
        "touched",
        """
        SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint FROM pg_class
        WHERE relnamespace = 'vitrine'::regnamespace AND relkind IN ('r', 'i')
        """)

    /// Excludes all tables from automatic VACUUM and ANALYZE.
    private static let isolate = """
        DO $$ DECLARE name regclass; BEGIN
            FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'vitrine'::regnamespace AND relkind = 'r' LOOP
                EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
            END LOOP;
        END $$;
        """

    /// Returns the number of rows and index entries that each query reads in a catalog of the given size, by plan mode.
    private static func touches(_ size: Int) async throws -> [String: [Int]] {
        let counts = Locked<[String: [Int]]>([:])
        try await ScratchDatabase.run { database in
            // An automatic ANALYZE during the queries would change the sample that plans them.
            let script = "\(isolate) BEGIN; \(fill(size)) COMMIT; SELECT derive_items(\(size))"
            try await Fixture.run(script, in: database.configuration) { connection, reader async throws in
                // Until then, new words are in a pending list that the planner avoids.
                try await connection.runScript("vacuum", "VACUUM ANALYZE", until: .soon)
                for mode in modes {
                    for read in reads {
                        let count = try await touches(read, mode, connection, reader)
                        counts.withLock { $0[mode, default: []].append(count) }
                    }
                }
                try await connection.runScript("sales", sales, until: .soon)
                try await connection.runScript("vacuum", "VACUUM ANALYZE", until: .soon)
                for mode in modes {
                    let count = try await touches(facts, mode, connection, reader)
                    counts.withLock { $0[mode, default: []].append(count) }
                }
            }
        }
        return counts.withLock { $0 }
    }

    private static func touches(
        _ read: Read, _ mode: String, _ connection: PostgresConnection, _ reader: CatalogReader
    ) async throws -> Int {
        try await connection.runScript("begin", "SET plan_cache_mode = \(mode); BEGIN", until: .soon)
        let before = try await connection.rows(of: touched, as: Int.self, until: .soon)
        let found = try await read.run(reader)
        let after = try await connection.rows(of: touched, as: Int.self, until: .soon)
        try await connection.runScript("end", "COMMIT", until: .soon)
        #expect(found >= read.least, "\(read.name), \(mode): \(found)")
        return (after.first ?? 0) - (before.first ?? 0)
    }

    @Test("A query reads no more rows in a catalog that is four times as large, with a custom or a generic plan")
    func proportion() async throws {
        let (small, large) = (try await Self.touches(6_000), try await Self.touches(24_000))
        for mode in Self.modes {
            let (small, large) = (try #require(small[mode]), try #require(large[mode]))
            for (number, read) in (Self.reads + [Self.facts]).enumerated() {
                let comparison = "\(read.name), \(mode): \(small[number]) and \(large[number])"
                #expect(large[number] <= max(2 * small[number] + 1_000, read.maximum), "\(comparison)")
                #expect(large[number] > 0, "\(comparison)")
            }
        }
    }

    @Test("The facts of items search the prices in effect by item, even while the price periods have no statistics")
    func factsWithoutStatistics() async throws {
        try await ScratchDatabase.run { database in
            try await Fixture.run("\(Self.isolate) BEGIN; \(Self.fill(2_000)) COMMIT", in: database.configuration) { connection, reader in
                try await connection.runScript("sales", Self.sales, until: .soon)
                for mode in Self.modes {
                    let count = try await Self.touches(Self.facts, mode, connection, reader)
                    #expect(1...10_000 ~= count, "\(mode): \(count)")
                }
            }
        }
    }
}
