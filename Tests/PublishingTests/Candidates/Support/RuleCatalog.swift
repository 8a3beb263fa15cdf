import EventLoop
import Feeds
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Values

@testable import Items

/// A catalog of a few hundred items, in the database and in memory.
struct RuleCatalog {
    struct Item {
        var id: UUID
        var number: Int
        var kind: ItemKind
        var categories: [String]
        var cuisines: [String] = []
        var priceBand = 1
        var rating: (average: Int, count: Int)?
        var day: CalendarDay
        var prices: [String: Int] = [:]
        /// The availability in each storefront and whether it includes the test's time, or nil if the item is available everywhere.
        var times: [String: (during: String, isNow: Bool)]?
        var titles: [LocaleTag: String]
        var isWithdrawn = false
    }

    static let time = Timestamp("2026-03-01T12:00:00Z") ?? .epoch
    static let today = CalendarDay.of("2026-03-01")
    static let storefronts = [
        Storefront(key: "us", currency: "USD", timeZone: "America/New_York", locales: tags("en", "es"), defaultLocale: .english),
        Storefront(key: "de", currency: "EUR", timeZone: "Europe/Berlin", locales: tags("de", "en"), defaultLocale: tags("de")[0]),
        Storefront(key: "sa", currency: "SAR", timeZone: "Asia/Riyadh", locales: tags("ar", "en"), defaultLocale: tags("ar")[0]),
    ]

    var items: [Item] = []
    /// The item IDs of each storefront's chart by rank. Some items do not exist.
    var charts: [String: [UUID]] = [:]

    static func tags(_ texts: String...) -> [LocaleTag] { texts.compactMap { LocaleTag($0) } }

    init(_ count: Int, _ random: inout SeededRandom) {
        func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
        for number in 1...count {
            let isFood = chance(1, in: 3)
            var item = Item(
                id: UUID(high: random.next(), low: random.next()), number: number, kind: isFood ? .foodApp : .topApp,
                categories: isFood ? ["dinner"] : chance(1, in: 3) ? ["games", "tools"] : [chance(1, in: 2) ? "games" : "tools"],
                day: CalendarDay.of(
                    ["2024-05-01", "2025-12-31", "2026-01-15", "2026-02-16", "2026-02-28", "2026-03-01", "2026-03-02"]
                        .randomElement(using: &random) ?? ""),
                titles: Self.titles(number, &random))
            if chance(1, in: 4) { item.categories.append("new") }
            if isFood {
                item.cuisines = Array(RandomRules.cuisines.shuffled(using: &random).prefix(chance(1, in: 3) ? 2 : 1))
                item.priceBand = Int.random(in: 1...4, using: &random)
            }
            if chance(3, in: 4) {
                item.rating = (Int.random(in: 0...10, using: &random) * 50, Int.random(in: 1...12, using: &random))
                if chance(1, in: 4) { item.rating = ([110, 230, 410, 435, 434, 409].randomElement(using: &random) ?? 0, 10) }
            }
            for storefront in Self.storefronts where !isFood && chance(1, in: 3) {
                item.prices[storefront.key] = [0, 99, 199, 200, 500].randomElement(using: &random)
            }
            if chance(1, in: 3) {
                item.times = [:]
                for storefront in Self.storefronts where chance(2, in: 3) {
                    item.times?[storefront.key] =
                        [
                            ("{(,)}", true), ("{[2026-01-01 00:00Z,2026-03-01 12:00:01Z)}", true), ("{[2026-03-01 12:00Z,)}", true),
                            ("{(,2026-03-01 12:00Z)}", false), ("{(,2026-01-01 00:00Z),[2026-03-01 12:00:01Z,)}", false),
                        ].randomElement(using: &random)
                }
            }
            item.isWithdrawn = chance(1, in: 20)
            items.append(item)
        }
        for storefront in Self.storefronts {
            charts[storefront.key] = items.shuffled(using: &random).prefix(count / 3).map(\.id)
        }
    }

    /// Returns titles in at least one locale. Some titles are equal.
    private static func titles(_ number: Int, _ random: inout SeededRandom) -> [LocaleTag: String] {
        let words = [
            "Apple", "apple", "Éclair", "Ñandú", "Zebra", "9 lives", "Æther", "ßeta", "🚀", "المطبخ", "تطبيق", "Жук", "漢字", "O'Hara \\",
        ]
        var titles: [LocaleTag: String] = [:]
        for tag in tags("en", "es", "de", "ar", "fr") where Int.random(in: 0..<3, using: &random) == 0 {
            titles[tag] = "\(words.randomElement(using: &random) ?? "") \(Int.random(in: 0..<9, using: &random))"
        }
        return titles.isEmpty ? [.english: "Only \(number)"] : titles
    }

    /// Returns the items that are available in a storefront at the test's time.
    func facts(in storefront: Storefront) -> [ItemFacts] {
        items.compactMap { item in
            guard !item.isWithdrawn, item.times.map({ $0[storefront.key]?.isNow ?? false }) ?? true else { return nil }
            var facets = Set(item.categories.map { "category:\($0)" } + item.cuisines.map { "cuisine:\($0)" })
            facets.insert(item.kind == .topApp ? "platform:ios" : "priceBand:\(item.priceBand)")
            facets.formUnion(item.prices.filter { $0.value > 0 }.keys.map { "paid:\($0)" })
            facets.insert("titles:\(item.titles.keys.map(\.text).sorted().joined(separator: ","))")
            return ItemFacts(
                id: item.id, kind: item.kind, facets: facets, ratingAverage: item.rating?.average ?? 0,
                ratingCount: item.rating?.count ?? 0,
                releasedOn: item.day, serialNumber: item.number, priceMinor: item.prices[storefront.key])
        }
    }

    /// The script that creates the catalog in an empty database.
    var script: String {
        var script = "SET search_path = vitrine, public; BEGIN;" + Self.storefrontRows
        for item in items {
            let id = "'\(item.id)'"
            let (average, count) = item.rating.map { ("\($0.average) / 100.0", "\($0.count)") } ?? ("NULL", "NULL")
            script += """
                INSERT INTO items (id, kind, source, serial_number, slug, content_hash, rating_average, rating_count, is_everywhere, deleted_at)
                VALUES (\(id), '\(item.kind.rawValue)', 'i\(item.number)', \(item.number), 'i\(item.number)', sha256('\(item.number)'),
                    \(average), \(count), \(item.times == nil), \(item.isWithdrawn ? "now()" : "NULL"));

                """
            if item.kind == .topApp {
                script += """
                    INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, platforms, age_rating, release_date)
                    VALUES (\(id), 'org.i\(item.number)', 'Quay', '1', 1, '{ios}', '4+', '\(item.day.description)');

                    """
            } else {
                script += """
                    INSERT INTO food_apps (item_id, brand, cuisines, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
                    VALUES (\(id), 'Saffron', '{\(item.cuisines.joined(separator: ","))}', 1, 2, \(item.priceBand), '\(item.day.description)');

                    """
            }
            for (rank, category) in item.categories.enumerated() {
                script += "INSERT INTO item_categories VALUES (\(id), '\(category)', \(rank + 1));"
            }
            for (locale, title) in item.titles {
                script +=
                    "INSERT INTO item_texts (item_id, locale, title) VALUES (\(id), '\(locale)', '\(title.replacing("'", with: "''"))');"
            }
            for (storefront, amount) in item.prices {
                script += """
                    INSERT INTO item_prices SELECT \(id), key, 'price', \(amount), currency FROM storefronts WHERE key = '\(storefront)';

                    """
            }
            for (storefront, time) in item.times ?? [:] {
                script += "INSERT INTO item_availability VALUES (\(id), '\(storefront)', '\(time.during)');"
            }
        }
        for (storefront, ids) in charts {
            script += "INSERT INTO charts VALUES ('\(storefront)', 'top');"
            for (index, id) in ids.enumerated() {
                script += "INSERT INTO chart_entries VALUES ('\(storefront)', 'top', \(index * 2 + 1), '\(id)');"
            }
        }
        return script + "COMMIT; SELECT derive_items(1000000)"
    }

    static let storefrontRows = """
        INSERT INTO storefronts (key, currency, time_zone, default_locale)
        VALUES ('us', 'USD', 'America/New_York', 'en'), ('de', 'EUR', 'Europe/Berlin', 'de'), ('sa', 'SAR', 'Asia/Riyadh', 'ar');
        INSERT INTO storefront_locales (storefront, locale, rank)
        VALUES ('us', 'en', 1), ('us', 'es', 2), ('de', 'de', 1), ('de', 'en', 2), ('sa', 'ar', 1), ('sa', 'en', 2);
        INSERT INTO categories (key, item_kind)
        VALUES ('tools', 'topApp'), ('games', 'topApp'), ('dinner', 'foodApp'), ('new', NULL), ('rare', 'topApp');

        """

    /// Runs a body on a connection to a database that a script has filled.
    static func run(
        _ script: String, in configuration: PostgresConfiguration? = nil,
        _ body: @escaping @Sendable (PostgresConnection, CandidateReader) async throws -> Void
    ) async throws {
        try await runWithAnother(script, in: configuration) { connection, _, reader async throws in try await body(connection, reader) }
    }

    /// Runs a body with a second connection to the database on the same event loop.
    static func runWithAnother(
        _ script: String, in given: PostgresConfiguration? = nil, within limit: Duration = .seconds(60),
        _ body: @escaping @Sendable (PostgresConnection, _ other: PostgresConnection, CandidateReader) async throws -> Void
    ) async throws {
        let configuration = try given ?? ScratchDatabase.current.configuration
        try await withLoop { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { connection.close() }
            let other = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { other.close() }
            try await connection.runScript("fixture", script, until: .soon)
            let reader = CandidateReader(at: time, eachWithin: limit, PostgresSession(connection, within: .seconds(60)))
            try await body(connection, other, reader)
        }
    }
}
