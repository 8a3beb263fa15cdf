import EventLoop
import Host
import Items
import Postgres
import Resolve
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

/// The queries of rules, on a small and a large catalog. A sequential scan of a table of items reads all of its rows, so a bound on
/// the rows also shows that an index is used. `make bench ONLY=reads SIZE=1000000` measures the times of the same conditions.
@Suite("The queries of rules")
struct RulePlanTests {
    private struct Page: Sendable {
        let name: String
        let rule: Rule
        var order = CandidateRequest.Order.rating
        var limit = 50
        /// The minimum number of items on the page.
        var least = 50
        /// The maximum number of rows read in a catalog of 24,000 items, if it may exceed twice that of one of 6,000, as in a scan that
        /// finds nothing. It grows with the catalog.
        var maximum = 0
    }

    private static let storefront = RuleCatalog.storefronts[0]
    private static let english = CandidateRequest.Order.title(LocaleFallback(.english, in: storefront))
    private static let spanish = CandidateRequest.Order.title(LocaleFallback(RuleCatalog.tags("es")[0], in: storefront))
    private static let hero = SectionKey("hero").map { [$0] } ?? []

    private static let pages: [Page] = [
        Page(name: "of a kind", rule: .kind(.topApp)),
        Page(
            name: "of categories, free and rated well, without what another section shows",
            rule: .all([
                .category(["games", "tools"]), .price(.free), .rating(atLeast: 3.5, count: 2), .not(.inSection(hero)),
            ])),
        Page(name: "of a rare category", rule: .category(["rare"]), least: 5),
        Page(name: "of a rare developer", rule: .developer(["RARE Ltd."]), least: 5),
        Page(name: "of a rare developer, by title", rule: .developer(["rare ltd"]), order: english, least: 5),
        Page(name: "of a rare tag, the newest first", rule: .tag(["rare"]), order: .release, least: 5),
        Page(name: "without a tag, and of a common developer", rule: .all([.not(.tag(["rare"])), .developer(["Quay"])])),
        Page(name: "on a rare platform", rule: .all([.kind(.topApp), .platform(["linux"])]), least: 5),
        Page(name: "on a platform", rule: .platform(["visionos"])),
        Page(
            name: "on a version of a platform, the newest first", rule: .all([.kind(.topApp), .runsOn(version("12"))]), order: .release),
        Page(name: "for an age", rule: .ageRating(atMost: 9)),
        Page(name: "of a diet", rule: .diet(["vegan"])),
        Page(name: "of a short delivery", rule: .deliveryMinutes(atMost: 10)),
        Page(
            name: "of a long delivery, the newest first", rule: .all([.kind(.foodApp), .not(.deliveryMinutes(atMost: 45))]), order: .release
        ),
        Page(name: "of a rare category, the newest first", rule: .category(["rare"]), order: .release, least: 5),
        Page(name: "of a rare category, by title", rule: .category(["rare"]), order: english, least: 5),
        Page(name: "of a rare category or a rare cuisine, in turn", rule: .any([.category(["rare"]), .cuisine(["rare"])]), least: 8),
        Page(name: "of facets that never meet", rule: .all([.cuisine(["rare"]), .price(.bands([4]))]), least: 0),
        Page(name: "of what another section shows", rule: .inSection(hero), least: 20),
        Page(name: "of what another section shows, by title", rule: .inSection(hero), order: english, least: 20),
        Page(name: "the newest first", rule: .kind(.foodApp), order: .release),
        Page(name: "of what is new, the newest first", rule: .releasedWithin(days: 7), order: .release, least: 7),
        Page(
            name: "of what was released long ago, the newest first",
            rule: .any(["2015-02-01"].compactMap { CalendarDay($0).map { .released(.before($0)) } }),
            order: .release, least: 20),
        Page(name: "of what is rated badly", rule: .not(.rating(atLeast: 1, count: 0))),
        Page(name: "of what costs little", rule: .all([.kind(.topApp), .price(.atMost(["USD": 50]))])),
        // 40 apps are on sale, 20 of them at half of their price.
        Page(name: "of what is on sale", rule: .discounted(atLeastPercent: 0), least: 40),
        Page(name: "of what is half off", rule: .discounted(atLeastPercent: 50), least: 20),
        Page(name: "of what is on sale, the newest first", rule: .discounted(atLeastPercent: 0), order: .release, least: 40),
        Page(name: "of what is on sale, by title", rule: .discounted(atLeastPercent: 50), order: english, least: 20),
        Page(name: "of free apps that are not on sale", rule: .all([.price(.free), .not(.discounted(atLeastPercent: 0))])),
        Page(name: "by title", rule: .category(["games"]), order: english),
        Page(name: "by title in Spanish, which no item has", rule: .kind(.topApp), order: spanish),
        Page(name: "by the ranks of a chart", rule: .price(.free), order: .chart("top")),
        Page(name: "of nothing", rule: .all([.kind(.topApp), .kind(.foodApp)]), least: 0),
        Page(name: "of what is new, rated best", rule: .releasedWithin(days: 2), least: 2, maximum: 60_000),
        Page(name: "of what is new, by title", rule: .releasedWithin(days: 2), order: english, least: 2, maximum: 120_000),
        Page(
            name: "of an item that costs less than all others", rule: .all([.category(["tools"]), .price(.free)]), order: .release,
            least: 1, maximum: 90_000),
    ]

    private static func ids(_ numbers: ClosedRange<UInt64>) -> Set<UUID> { Set(numbers.map { UUID(high: 0, low: $0) }) }

    private static func version(_ text: String) -> [PlatformVersion] {
        Version(text).map { [PlatformVersion(platform: "ios", version: $0)] } ?? []
    }

    private static let modes = ["force_custom_plan", "force_generic_plan"]

    /// The items of the large catalog.
    private static let items = TestVariable.number("RULE_ITEMS").map { Int(clamping: $0) } ?? 24_000
    /// The items of the small catalog, which is at most a fourth of the large one.
    private static let fewer = min(10_000, items / 4)
    private static let filling = Duration.seconds(3_600)

    private static let context = RuleContext(
        storefront: storefront, today: .of("2023-03-18"), itemsOfSections: Dictionary(uniqueKeysWithValues: hero.map { ($0, ids(1...30)) }))

    /// Ratings and dates have the same distribution at any size, and the number of rare items stays the same. Item 25 is the only free
    /// tool. The periods in another storefront make the table so large that the planner does not read all of it for each item.
    private static func fill(_ size: Int) -> String {
        """
        SET search_path = vitrine, public; SET statement_timeout = 0; BEGIN; \(RuleCatalog.storefrontRows)
        INSERT INTO items (id, kind, source, slug, content_hash, rating_average, rating_count, is_everywhere, tags)
        SELECT
            lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 3 = 0 THEN 'foodApp' ELSE 'topApp' END::item_kind, 'app-' || n, 'app-' || n,
            sha256(int8send(n)), n % 50 / 10.0, (2 ^ (n::bigint * 7919 % 18))::bigint, n % 3 <> 0,
            CASE WHEN n % \(size / 10) = 1 THEN '{rare}' ELSE '{}' END::text[]
        FROM generate_series(1, \(size)) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT id, slug, CASE WHEN serial_number % \(size / 10) = 1 THEN 'Rare Ltd' ELSE 'Quay' END, '1', 1, date '2015-01-01' + (serial_number % 3000)::integer FROM items WHERE kind = 'topApp';
        INSERT INTO item_platforms (item_id, platform, minimum_os)
        SELECT id, 'ios', 10 + serial_number % 8 || '.1' FROM items WHERE kind = 'topApp'
        UNION ALL
        SELECT id, 'linux', NULL FROM items WHERE kind = 'topApp' AND serial_number % \(size / 10) = 1;
        INSERT INTO item_age_ratings (item_id, scheme, label)
        SELECT id, 'apple-2015', (ARRAY['4+', '9+', '12+', '17+'])[1 + serial_number % 4] FROM items WHERE kind = 'topApp';
        INSERT INTO food_apps (item_id, brand, cuisines, dietary_tags, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
        SELECT id, 'Saffron', CASE WHEN serial_number % \(size / 10) = 0 THEN '{rare}' ELSE '{thai}' END::text[],
            CASE WHEN serial_number % 2 = 0 THEN '{vegan}' ELSE '{}' END::text[], 1, 2 + serial_number % 60,
            CASE WHEN serial_number % \(size / 10) = 0 THEN 1 ELSE 4 END, date '2015-01-01' + (serial_number % 3000)::integer
        FROM items WHERE kind = 'foodApp';
        INSERT INTO item_texts (item_id, locale, title)
        SELECT id, 'en', chr(65 + (serial_number % 26)::integer) || ' title ' || serial_number FROM items
        UNION ALL
        SELECT id, 'ar', 'عنوان ' || serial_number FROM items WHERE serial_number % 4 = 0;
        INSERT INTO item_categories (item_id, category, rank)
        SELECT id, CASE WHEN kind = 'foodApp' THEN 'dinner' WHEN serial_number % 2 = 0 THEN 'games' ELSE 'tools' END, 1 FROM items
        UNION ALL
        SELECT id, 'rare', 2 FROM items WHERE kind = 'topApp' AND serial_number % \(size / 10) = 1;
        INSERT INTO item_prices
        SELECT id, 'us', 'price', 99, 'USD' FROM items WHERE kind = 'topApp' AND serial_number % 2 = 1 AND serial_number <> 25;
        INSERT INTO item_price_periods
        SELECT id, 'us', 'price', '[2026-01-01,2027-01-01)', CASE WHEN place <= 20 THEN 40 ELSE 60 END, 'USD', 80
        FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM items WHERE kind = 'topApp') AS places WHERE place <= 40;
        INSERT INTO item_price_periods
        SELECT id, 'de', 'price', '[2026-01-01,2027-01-01)', 60, 'EUR', 80 FROM items WHERE kind = 'topApp';
        INSERT INTO item_availability (item_id, storefront, during)
        SELECT id, (ARRAY['us', 'de', 'sa'])[1 + serial_number / 3 % 3],
            CASE WHEN serial_number <= 90 THEN '{(,2030-01-01)}' ELSE '{(,)}' END::tstzmultirange
        FROM items WHERE kind = 'foodApp';
        INSERT INTO charts VALUES ('us', 'top');
        INSERT INTO chart_entries SELECT 'us', 'top', row_number() OVER (), id FROM items WHERE kind = 'topApp' LIMIT 500;
        COMMIT; SELECT derive_items(\(size))
        """
    }

    /// The rows that the session has read and not reported yet, which within a transaction are all rows.
    private static let touched = PostgresQuery(
        "touched",
        """
        SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint FROM pg_class
        WHERE relnamespace = 'vitrine'::regnamespace AND relkind IN ('r', 'i')
        """)

    /// Returns the number of rows and index entries that each page reads in a catalog of the given size, by plan mode.
    private static func touches(_ size: Int) async throws -> [String: [Int]] {
        let counts = Locked<[String: [Int]]>([:])
        try await ScratchDatabase.run { database in
            try await RuleCatalog.run(fill(size), in: database.configuration, filledWithin: filling) { connection, reader async throws in
                // Until then, new words are in a pending list that the planner avoids.
                try await connection.runScript("vacuum", "VACUUM ANALYZE", until: .after(filling))
                for mode in modes {
                    try await connection.runScript("mode", "SET plan_cache_mode = \(mode)", until: .soon)
                    for page in pages {
                        let request = CandidateRequest(
                            try RuleNormalForm(page.rule, in: context), by: page.order, in: context, limit: page.limit)
                        try await connection.runScript("begin", "BEGIN", until: .soon)
                        let before = try await connection.rows(of: touched, as: Int.self, until: .soon)
                        let found = try await reader.candidates([request])[0]
                        let after = try await connection.rows(of: touched, as: Int.self, until: .soon)
                        try await connection.runScript("end", "COMMIT", until: .soon)
                        counts.withLock { $0[mode, default: []].append((after.first ?? 0) - (before.first ?? 0)) }
                        #expect(found.count >= page.least, "\(page.name), \(mode): \(found.count)")
                        #expect(found.allSatisfy { page.rule.holds(for: $0.facts, in: context) }, "\(page.name), \(mode)")
                        var searching = reader
                        searching.costOfFinding = 0
                        #expect(try await searching.candidates([request])[0] == found, "\(page.name), \(mode)")
                    }
                    let rotation = Rotation(seed: "s", every: try #require(RotationPeriod("P1D")))
                    let form = try RuleNormalForm(.kind(.topApp), in: context)
                    let rotated = CandidateRequest(form, by: .rotation(rotation, by: 50), in: context, limit: 50)
                    #expect(try await reader.candidates([rotated])[0].count == 50)
                }
            }
        }
        return counts.withLock { $0 }
    }

    @Test("A query has a scan for each kind in each scope of a storefront")
    func scans() {
        #expect(ItemKind.allCases.count * Self.storefront.scopes.count <= CandidateSearch.maxScans)
    }

    @Test("A page reads no more rows in a catalog that is at least four times as large, with a custom or a generic plan")
    func proportion() async throws {
        let (small, large) = (try await Self.touches(Self.fewer), try await Self.touches(Self.items))
        for mode in Self.modes {
            let (small, large) = (try #require(small[mode]), try #require(large[mode]))
            for (number, page) in Self.pages.enumerated() {
                let comparison = "\(page.name), \(mode): \(small[number]) and \(large[number])"
                #expect(large[number] <= max(2 * small[number] + 1_000, page.maximum * Self.items / 24_000), "\(comparison)")
                #expect(large[number] > 0, "\(comparison)")
            }
        }
    }
}
