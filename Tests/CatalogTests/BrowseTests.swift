import EventLoop
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Catalog
@testable import Items

@Suite("A list of items", .databaseForEachTest)
struct BrowseTests {
    /// 300 items of both kinds, some in only one storefront, many with equal ratings and release dates.
    private static let many = """
        SELECT pg_temp.top_app(
            'app-' || n, jsonb_build_object('en', 'App ' || n % 7 || ' ' || n), ARRAY[CASE WHEN n % 3 = 0 THEN 'games' ELSE 'tools' END],
            rating => n % 5, ratings => 1 + n % 11, day => date '2024-01-01' + n % 13)
        FROM generate_series(1, 200) AS n;
        SELECT pg_temp.food_app(
            'food-' || n, jsonb_build_object('en', 'Food ' || n), ARRAY[CASE WHEN n % 4 = 0 THEN 'thai' ELSE 'sushi' END],
            storefront => CASE WHEN n % 2 = 0 THEN 'us' WHEN n % 3 = 0 THEN 'de' END, rating => n % 5, ratings => 1 + n % 11)
        FROM generate_series(1, 100) AS n;
        """

    @Test("Rating schemes that cannot be read are an error, not a storefront without schemes")
    func unreadableSchemes() async throws {
        try await Fixture.run { connection, reader in
            #expect(try await reader.site("us").ratingSchemes.ages["usk"]?["6"] == 6)
            let replacement = """
                CREATE OR REPLACE FUNCTION vitrine.rating_scheme_documents() RETURNS jsonb LANGUAGE sql STABLE
                AS $$ SELECT '{"usk": {"6": "six"}}'::jsonb $$
                """
            try await connection.runScript("replace", replacement, until: .soon)
            let error = await #expect(throws: PostgresError.self) { try await reader.storefronts() }
            #expect(error?.code == .undecodable)
        }
    }

    @Test("A list contains each of its items once and in order, for any page size", arguments: [1, 7, 100])
    func pages(limit: Int) async throws {
        try await Fixture.run(Self.many) { connection, reader async throws in
            let query = PostgresQuery(
                "expected",
                """
                SELECT slug FROM vitrine.items
                WHERE is_everywhere OR EXISTS (
                    SELECT FROM vitrine.item_availability WHERE item_id = items.id AND storefront = 'us')
                ORDER BY rating_average DESC, rating_count DESC, serial_number DESC
                """)
            let expected = try await connection.rows(of: query, as: String.self, until: .soon)
            let size = limit == 1 ? 40 : expected.count
            let storefront = try await reader.site("us")
            var slugs: [String] = []
            var position: [String]?
            repeat {
                let page = try await reader.browse(
                    ItemFilter(), by: .rating, in: storefront, LocaleFallback(.english, in: storefront), after: position, limit: limit)
                #expect(page.items.count <= limit)
                slugs += page.items.map(\.slug)
                position = page.next
            } while position != nil && slugs.count < size
            #expect(slugs == Array(expected.prefix(slugs.count)) && slugs.count >= size)
        }
    }

    @Test("A list is the same whether its facets are treated as common or rare")
    func rare() async throws {
        try await Fixture.run(Self.many) { connection, reader async throws in
            var filter = ItemFilter()
            filter.kind = .foodApp
            filter.cuisine = "thai"
            for order in [ItemOrder.rating, .newest, .title] {
                var always = reader
                always.costOfFinding = 0
                let rare = try await always.slugs(filter, by: order, limit: 7)
                #expect(rare.count == 25)
                var common = reader
                common.costOfFinding = .infinity
                #expect(try await common.slugs(filter, by: order, limit: 7) == rare, "\(order)")
                let all = try await reader.slugs(by: order, limit: 100)
                let thai = all.filter { $0.hasPrefix("food-") && Int($0.dropFirst(5)).map { $0 % 4 == 0 } == true }
                #expect(rare == thai, "\(order)")
            }
        }
    }

    @Test("A list by title contains each item once while a change of locales is not indexed yet")
    func underived() async throws {
        let titles = """
            SELECT pg_temp.top_app('both-' || n, '{"en": "App", "de": "Anwendung"}') FROM generate_series(1, 400) AS n;
            SELECT pg_temp.top_app('german-' || n, '{"de": "Anwendung"}') FROM generate_series(1, 120) AS n;
            """
        try await Fixture.run(titles) { connection, reader async throws in
            try await connection.runScript(
                "translate", "INSERT INTO item_texts SELECT id, 'en', 'App' FROM items WHERE slug LIKE 'german-%'", until: .soon)
            // With this cost, English titles are scanned and German ones are searched.
            var mixed = reader
            mixed.costOfFinding = 2
            let slugs = try await mixed.slugs(by: .title)
            #expect(slugs.count == 520 && Set(slugs).count == 520)
        }
    }

    @Test("A list by title covers any number of locale sets, with few counters")
    func manySets() async throws {
        // Each item has its own set of nine locales, and every second one has an English title.
        let sets = """
            SELECT pg_temp.top_app('app-' || lpad(n::text, 4, '0'), (
                SELECT jsonb_object_agg(
                    CASE bit WHEN 0 THEN 'en' WHEN 1 THEN 'de' WHEN 2 THEN 'ar' ELSE 'x' || chr(97 + bit) END, 'App ' || lpad(n::text, 4, '0'))
                FROM generate_series(0, 8) AS bit WHERE n & (1 << bit) <> 0))
            FROM generate_series(1, 511) AS n;
            """
        try await Fixture.run(sets) { connection, reader async throws in
            let counters = PostgresQuery("counters", "SELECT count(*) FROM vitrine.listing_counts WHERE facet LIKE 'title%'")
            #expect(try await connection.rows(of: counters, as: Int.self, until: .soon) == [9])
            for (site, locale) in [("us", "en"), ("de", "de"), ("sa", "en"), ("us", "xd"), ("us", "zz")] {
                for cost in [0, IndexScan.costOfFinding, 1_000] {
                    var measured = reader
                    measured.costOfFinding = cost
                    let slugs = try await measured.slugs(by: .title, in: site, locale)
                    #expect(slugs == (1...511).map { "app-\("0000\($0)".suffix(4))" }, "\(site) \(locale) \(cost)")
                }
            }
        }
    }

    @Test("A list skips items that are not available yet, without finding and sorting all available ones")
    func announced() async throws {
        // Twelve thousand items that start in 2027. They come before the available items in both orders.
        let announced = """
            -- An automatic VACUUM moves new words into the index, where the planner then searches.
            ALTER TABLE vitrine.search_documents SET (autovacuum_enabled = false);
            INSERT INTO vitrine.listings
            SELECT
                gen_random_uuid(), '*', 'topApp', '{category:tools,on:ios,titles:en}', 5, 1000000, '2027-01-01', 1000000 + n,
                '{[2027-01-01,)}'
            FROM generate_series(1, 12000) AS n;
            UPDATE vitrine.listing_counts SET timed = timed + 12000 WHERE scope = '*' AND kind = 'topApp' AND facet = 'all';
            ANALYZE vitrine.listings;
            """
        try await Fixture.run(Self.many) { connection, reader async throws in
            let orders = [ItemOrder.rating, .newest]
            var before: [[String]] = []
            for order in orders { before.append(try await reader.slugs(by: order, limit: 7)) }
            try await connection.runScript("announce", announced, until: .soon)
            let searches = PostgresQuery(
                "searches",
                """
                SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint FROM pg_index
                WHERE indrelid = 'vitrine.search_documents'::regclass
                """)
            for (order, slugs) in zip(orders, before) {
                try await connection.runScript("begin", "BEGIN", until: .soon)
                #expect(try await reader.slugs(by: order, limit: 7) == slugs)
                let found = try await connection.rows(of: searches, as: Int.self, until: .soon)
                #expect(found == [0])
                try await connection.runScript("end", "COMMIT", until: .soon)
            }
        }
    }

    @Test("A list for a platform has the items that its clients run, in every order, by index scan and by search")
    func platforms() async throws {
        let made = """
            INSERT INTO item_platforms (item_id, platform) SELECT id, 'ipados' FROM items WHERE slug IN ('app-3', 'app-4');
            DELETE FROM item_platforms USING items WHERE id = item_id AND slug = 'app-4' AND platform = 'ios';
            """
        try await Fixture.run(Self.many + made) { _, reader async throws in
            // A FoodApp runs everywhere. Some of the 100 are only in another storefront.
            for (platform, count) in [("ios", 199 + 83), ("ipados", 200 + 83), ("visionos", 2 + 83), ("android", 83), ("amiga", 0)] {
                var filter = ItemFilter()
                filter.platform = platform
                for order in [ItemOrder.rating, .newest, .title] {
                    for cost in [0, IndexScan.costOfFinding, .infinity] {
                        var reader = reader
                        reader.costOfFinding = cost
                        #expect(try await reader.slugs(filter, by: order).count == count, "\(platform), \(order), \(cost)")
                    }
                }
            }
        }
    }

    @Test("A list applies its filters of kind, category, price band, price, platform and rating")
    func filters() async throws {
        let prices = "INSERT INTO item_prices SELECT id, 'us', 'price', 99, 'USD' FROM items WHERE slug IN ('app-3', 'app-4');"
        try await Fixture.run(Self.many + prices) { _, reader async throws in
            var filter = ItemFilter()
            filter.kind = .topApp
            filter.category = "games"
            #expect(try await reader.slugs(filter, by: .newest).count == 66)
            filter.price = .paid
            #expect(try await reader.slugs(filter, by: .newest) == ["app-3"])
            filter.price = .free
            #expect(try await reader.slugs(filter, by: .newest).count == 65)
            #expect(try await reader.slugs(filter, by: .newest, in: "de", "de").count == 66)
            filter = ItemFilter()
            filter.minimumRating = 400
            #expect(try await reader.slugs(filter, by: .rating).count == 40 + 16)
            filter.priceBand = 2
            #expect(try await reader.slugs(filter, by: .rating).count == 16)
            filter.priceBand = 1
            #expect(try await reader.slugs(filter, by: .rating).isEmpty)
            filter = ItemFilter()
            filter.kind = .topApp
            filter.platform = "ios"
            #expect(try await reader.slugs(filter, by: .title).count == 200)
            filter.platform = "android"
            #expect(try await reader.slugs(filter, by: .title).isEmpty)
        }
    }

    @Test("A list of free or paid items uses the prices of their time")
    func pricePeriods() async throws {
        let script = """
            SELECT pg_temp.top_app(name, '{"en": "App"}') FROM unnest('{free,paid,free-now,paid-now,free-before,free-later}'::text[]) AS name;
            INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items WHERE slug NOT IN ('free', 'paid-now');
            INSERT INTO item_price_periods
            SELECT md5(name)::uuid, 'us', 'price', during::tstzrange, amount, 'USD'
            FROM (VALUES
                ('free-now', '[2026-03-01 12:00Z,2026-03-01 12:00:01Z)', 0), ('paid-now', '[2026-03-01 12:00Z,2026-03-02 00:00Z)', 1),
                ('free-before', '[2026-02-01 00:00Z,2026-03-01 12:00Z)', 0), ('free-later', '[2026-03-01 12:00:01Z,2026-04-01 00:00Z)', 0)
            ) AS periods (name, during, amount);
            """
        try await Fixture.run(script) { _, reader async throws in
            for order in [ItemOrder.rating, .newest, .title] {
                var filter = ItemFilter()
                filter.price = .free
                #expect(try await Set(reader.slugs(filter, by: order)) == ["free", "free-now"], "\(order)")
                filter.price = .paid
                #expect(try await Set(reader.slugs(filter, by: order)) == ["paid", "paid-now", "free-before", "free-later"], "\(order)")
                #expect(try await reader.slugs(filter, by: order, in: "de", "de").isEmpty)
            }
        }
    }

    @Test("A list contains an item only in its storefronts and only during its availability")
    func availability() async throws {
        let script = """
            SELECT pg_temp.food_app('now', '{"en": "Now"}', storefront => 'us', during => '{[2026-03-01 12:00Z,2026-03-02 00:00Z)}');
            SELECT pg_temp.food_app('over', '{"en": "Over"}', storefront => 'us', during => '{[2026-01-01 00:00Z,2026-03-01 12:00Z)}');
            SELECT pg_temp.food_app('later', '{"en": "Later"}', storefront => 'us', during => '{[2026-03-01 12:00:01Z,)}');
            SELECT pg_temp.food_app('twice', '{"en": "Twice"}', storefront => 'us', during => '{(,2026-01-01),[2026-02-01,2026-04-01)}');
            SELECT pg_temp.food_app('there', '{"en": "There"}', storefront => 'de');
            SELECT pg_temp.top_app('gone', '{"en": "Gone"}');
            SELECT pg_temp.top_app('nowhere', '{"en": "Nowhere"}', everywhere => false);
            UPDATE items SET deleted_at = now() WHERE slug = 'gone';
            """
        try await Fixture.run(script) { connection, reader async throws in
            for order in [ItemOrder.rating, .newest, .title] {
                #expect(try await Set(reader.slugs(by: order)) == ["now", "twice"], "\(order)")
                #expect(try await reader.slugs(by: order, in: "de", "de") == ["there"])
            }
            #expect(try await Set(reader.found("now")) == ["now"])
            for text in ["later", "gone", "there"] { #expect(try await reader.found(text).isEmpty, "\(text)") }
            let ids = try await connection.rows(of: PostgresQuery("ids", "SELECT id FROM vitrine.items"), as: UUID.self, until: .soon)
            let items = try await reader.items(ids, in: try await reader.site("us"))
            #expect(Set(items.map(\.slug)) == ["now", "twice"])
            let end = items.first { $0.slug == "now" }?.availability.nextChange(in: "us", after: Fixture.time)
            #expect(end?.description == "2026-03-02T00:00:00.000000Z")
            let categories = try await reader.categories(of: nil, in: try await reader.site("us"))
            #expect(categories.map { "\($0.key) \($0.items)" } == ["dinner 2", "games 0", "new 0", "tools 0"])
        }
    }

    @Test("A list by title is sorted by the alphabet of its locale and the displayed titles")
    func titles() async throws {
        let script = """
            SELECT pg_temp.top_app('nz', '{"en": "Nz"}'), pg_temp.top_app('nya', '{"en": "Ña"}'), pg_temp.top_app('na', '{"en": "na"}'),
                pg_temp.top_app('zebra', '{"en": "Apple", "de": "Zebra", "ar": "برتقال"}'), pg_temp.top_app('aerger', '{"en": "Ärger"}'),
                pg_temp.top_app('azur', '{"en": "Azur"}'), pg_temp.top_app('alif', '{"ar": "تفاح"}'),
                pg_temp.top_app('only-fr', '{"fr": "Éclair"}');
            """
        try await Fixture.run(script) { _, reader async throws in
            #expect(
                try await reader.slugs(by: .title, limit: 3) == ["zebra", "aerger", "azur", "only-fr", "na", "nya", "nz", "alif"])
            #expect(
                try await reader.slugs(by: .title, in: "us", "es", limit: 1) == [
                    "zebra", "aerger", "azur", "only-fr", "na", "nz", "nya", "alif",
                ])
            #expect(
                try await reader.slugs(by: .title, in: "de", "de", limit: 2) == [
                    "aerger", "azur", "only-fr", "na", "nya", "nz", "zebra", "alif",
                ])
            #expect(
                try await reader.slugs(by: .title, in: "sa", "ar", limit: 3) == [
                    "zebra", "alif", "aerger", "azur", "only-fr", "na", "nya", "nz",
                ])
        }
    }

    @Test(
        "A list by title contains each item once, by index scan and by search",
        arguments: ["us en", "us es", "us es-MX", "us zh-HK", "de de", "sa ar", "sa en"])
    func fallbacks(location: String) async throws {
        let parts = location.split(separator: " ").map(String.init)
        let script = """
            SELECT pg_temp.top_app('app-' || n, (
                SELECT jsonb_object_agg(locale, chr(65 + n * 7 % 26) || CASE locale WHEN 'ar' THEN ' تطبيق ' ELSE ' ñ ' END || locale || n)
                FROM unnest('{en,de,ar,fr,es,es-419,zh,zh-Hant}'::text[]) WITH ORDINALITY AS locales (locale, place)
                WHERE n >> (place::integer % 6) & 1 = 1 OR n % 5 = place - 1))
            FROM generate_series(1, 90) AS n
            """
        try await Fixture.run(script) { connection, reader async throws in
            let storefront = try await reader.site(parts[0])
            let order = LocaleFallback(LocaleTag(parts[1]) ?? .english, in: storefront).order.map(\.text)
            let query = PostgresQuery(
                "expected",
                """
                SELECT slug FROM vitrine.items CROSS JOIN LATERAL (
                    SELECT title FROM vitrine.item_texts WHERE item_id = id ORDER BY array_position($1::text[], locale), locale COLLATE "C" LIMIT 1
                ) AS shown
                ORDER BY
                    CASE WHEN left($2::text, 2) = 'es' THEN title END COLLATE "es-x-icu", CASE WHEN $2 = 'ar' THEN title END COLLATE "ar-x-icu",
                    title COLLATE "und-x-icu", id
                """, order, parts[1])
            let expected = try await connection.rows(of: query, as: String.self, until: .soon)
            for cost in [0, 1, 5, Double.infinity] {
                var reader = reader
                reader.costOfFinding = cost
                #expect(try await reader.slugs(by: .title, in: parts[0], parts[1], limit: 7) == expected, "\(cost)")
            }
            #expect(expected.count == 90)
        }
    }

    @Test("A chart lists its available items by rank")
    func charts() async throws {
        let script =
            Self.many + """
                INSERT INTO charts VALUES ('us', 'top-food'), ('us', 'empty');
                INSERT INTO chart_entries SELECT 'us', 'top-food', n, md5('food-' || n)::uuid FROM generate_series(1, 100) AS n;
                """
        try await Fixture.run(script) { connection, reader async throws in
            let announced = "UPDATE vitrine.listings SET during = '{[2027-01-01,)}' WHERE item_id = md5('food-4')::uuid"
            try await connection.runScript("announce", announced, until: .soon)
            let there = (1...100).filter { ($0 % 2 == 0 || $0 % 3 != 0) && $0 != 4 }
            for limit in [1, 10, 100] {
                #expect(try await reader.slugs(by: .chart("top-food"), limit: limit) == there.map { "food-\($0)" })
            }
            var filter = ItemFilter()
            filter.cuisine = "thai"
            #expect(try await reader.slugs(filter, by: .chart("top-food"), limit: 3) == there.filter { $0 % 4 == 0 }.map { "food-\($0)" })
            #expect(try await reader.slugs(by: .chart("empty")).isEmpty)
            let storefront = try await reader.site("us")
            #expect(try await reader.hasChart("empty", in: storefront))
            #expect(try await !reader.hasChart("nothing", in: storefront))
        }
    }

    @Test("The item counts of categories follow each change")
    func counts() async throws {
        try await Fixture.run(Self.many) { connection, reader async throws in
            let storefront = try await reader.site("us")
            func counts() async throws -> [String: Int] {
                Dictionary(uniqueKeysWithValues: try await reader.categories(of: nil, in: storefront).map { ($0.key, $0.items) })
            }
            #expect(try await counts() == ["tools": 134, "games": 66, "dinner": 83, "new": 0])
            try await connection.runScript(
                "change",
                """
                BEGIN;
                UPDATE item_categories SET category = 'games' WHERE item_id = md5('app-1')::uuid;
                INSERT INTO item_categories SELECT id, 'new', 2 FROM items WHERE slug IN ('app-2', 'food-2', 'food-3');
                UPDATE items SET deleted_at = now() WHERE slug = 'app-3';
                COMMIT
                """, until: .soon)
            #expect(try await counts() == ["tools": 133, "games": 66, "dinner": 83, "new": 2])
        }
    }
}
