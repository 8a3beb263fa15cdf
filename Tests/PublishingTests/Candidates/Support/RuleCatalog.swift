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
        var diets: [String] = []
        var tags: [String] = []
        var developer = "Quay Labs"
        var deliveryMinutes = 30
        /// The platforms with their least versions, which are empty if every version is enough.
        var platforms: [String: String] = [:]
        /// The labels by rating scheme.
        var ageRatings: [String: String] = [:]
        var rating: (average: Int, count: Int)?
        var day: CalendarDay
        var prices: [String: Int] = [:]
        /// The price period in each storefront.
        var periods: [String: Period] = [:]
        /// The availability in each storefront and whether it includes the test's time, or nil if the item is available everywhere.
        var times: [String: (during: String, isNow: Bool)]?
        var titles: [LocaleTag: String]
        var isWithdrawn = false

        struct Period {
            let from: String
            let until: String
            /// Whether the period includes the test's time.
            let isNow: Bool
            let amount: Int
            /// The price before the sale.
            let previous: Int?
        }

        /// Returns the period at the test's time.
        func period(in storefront: String) -> Period? { periods[storefront].flatMap { $0.isNow ? $0 : nil } }

        /// Returns the price at the test's time.
        func price(in storefront: String) -> Int? { period(in: storefront)?.amount ?? prices[storefront] }
    }

    static let time = Timestamp("2026-03-01T12:00:00Z") ?? .epoch
    static let today = CalendarDay.of("2026-03-01")
    static let storefronts = [
        Storefront(
            key: "us", currency: "USD", timeZone: "America/New_York", locales: tags("en", "es"), defaultLocale: .english,
            ratingScheme: "apple-2025"),
        Storefront(
            key: "de", currency: "EUR", timeZone: "Europe/Berlin", locales: tags("de", "en"), defaultLocale: tags("de")[0],
            ratingScheme: "usk"),
        Storefront(key: "sa", currency: "SAR", timeZone: "Asia/Riyadh", locales: tags("ar", "en"), defaultLocale: tags("ar")[0]),
    ]

    static let versions = ["", "0.0", "9", "10", "16.0", "16.0.1", "16.2", "16.10", "17"]
    /// The platforms whose items the clients of each platform run.
    static let runs = [
        "ios": ["ios"], "ipados": ["ipados", "ios"], "macos": ["macos"], "watchos": ["watchos"], "tvos": ["tvos"],
        "visionos": ["visionos", "ipados"], "android": ["android"], "linux": ["linux"],
    ]
    /// The ages of the labels of each rating scheme.
    static let ages = [
        "apple-2015": ["4+": 4, "9+": 9, "12+": 12, "17+": 17], "apple-2025": ["4+": 4, "9+": 9, "13+": 13, "16+": 16, "18+": 18],
        "pegi": ["3": 3, "7": 7, "12": 12, "16": 16, "18": 18], "usk": ["0": 0, "6": 6, "12": 12, "16": 16, "18": 18],
        "esrb": ["E": 6, "E10+": 10, "T": 13, "M": 17, "AO": 18],
    ]
    static let deliveryMinutes = [0, 9, 10, 30, 45, 120, 1_440]
    /// The folded form of each developer.
    static let foldedDevelopers = [
        "Quay Labs": "quay labs", "QUAY-LABS!": "quay labs", "Südwind": "sudwind", "SUDWIND": "sudwind", "مطبخ الرياض": "مطبخ رياض",
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
                item.diets = Array(RandomRules.diets.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
                item.deliveryMinutes = Self.deliveryMinutes.randomElement(using: &random) ?? 0
            } else {
                item.developer = Self.foldedDevelopers.keys.sorted().randomElement(using: &random) ?? ""
                for platform in RandomRules.platforms.shuffled(using: &random).prefix(chance(1, in: 2) ? 1 : 2) {
                    item.platforms[platform] = Self.versions.randomElement(using: &random)
                }
                for (scheme, labels) in Self.ages.sorted(by: { $0.key < $1.key }).shuffled(using: &random).prefix(chance(1, in: 2) ? 1 : 2)
                {
                    item.ageRatings[scheme] = labels.keys.sorted().randomElement(using: &random)
                }
            }
            item.tags = Array(RandomRules.tags.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
            if chance(3, in: 4) {
                item.rating = (Int.random(in: 0...10, using: &random) * 50, Int.random(in: 1...12, using: &random))
                if chance(1, in: 4) { item.rating = ([110, 230, 410, 435, 434, 409].randomElement(using: &random) ?? 0, 10) }
            }
            for storefront in Self.storefronts where !isFood && chance(1, in: 3) {
                item.prices[storefront.key] = [0, 99, 199, 200, 500].randomElement(using: &random)
            }
            for storefront in Self.storefronts where !isFood && chance(1, in: 4) {
                let during = [
                    ("2026-02-01T00:00:00Z", "2026-03-01T12:00:01Z", true), ("2026-03-01T12:00:00Z", "2026-03-02T00:00:00Z", true),
                    ("2026-02-01T00:00:00Z", "2026-03-01T12:00:00Z", false), ("2026-03-01T12:00:01Z", "2026-03-02T00:00:00Z", false),
                ].randomElement(using: &random)
                let amount = [0, 99, 120, 199].randomElement(using: &random) ?? 0
                let previous = chance(2, in: 3) ? [200, 500].randomElement(using: &random) : nil
                if let (from, until, isNow) = during {
                    item.periods[storefront.key] = Item.Period(from: from, until: until, isNow: isNow, amount: amount, previous: previous)
                }
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
            if item.kind == .foodApp { facets.insert("priceBand:\(item.priceBand)") }
            facets.formUnion(
                Self.runs.filter { item.kind == .foodApp || $0.value.contains { item.platforms[$0] != nil } }.map { "on:\($0.key)" })
            facets.formUnion(item.diets.map { "diet:\($0)" } + item.tags.map { "tag:\($0)" })
            if item.kind == .topApp, let folded = Self.foldedDevelopers[item.developer] { facets.insert("developer:\(folded)") }
            // The facets of other storefronts hold at any time, those of this one at the test's time.
            for other in Self.storefronts.map(\.key) {
                let period = item.periods[other]
                let isHere = other == storefront.key
                let amounts = isHere ? [item.price(in: other)] : [item.prices[other], period?.amount]
                if amounts.compactMap(\.self).contains(where: { $0 > 0 }) { facets.insert("paid:\(other)") }
                if period != nil { facets.insert("priceChanges:\(other)") }
                if period?.previous != nil, !isHere || period?.isNow == true { facets.insert("discounted:\(other)") }
            }
            facets.insert("titles:\(item.titles.keys.map(\.text).sorted().joined(separator: ","))")
            return ItemFacts(
                id: item.id, kind: item.kind, facets: facets, ratingAverage: item.rating?.average ?? 0,
                ratingCount: item.rating?.count ?? 0,
                releasedOn: item.day, serialNumber: item.number,
                priceMinor: item.price(in: storefront.key),
                pricePeriod: item.period(in: storefront.key).map {
                    ItemFacts.Period(until: Timestamp($0.until) ?? .epoch, previousMinor: $0.previous)
                },
                measures: RuleMeasures(item.measures))
        }
    }

    /// The script that creates the catalog in an empty database.
    var script: String {
        var script = "SET search_path = vitrine, public; BEGIN;" + Self.storefrontRows
        for item in items {
            let id = "'\(item.id)'"
            let (average, count) = item.rating.map { ("\($0.average) / 100.0", "\($0.count)") } ?? ("NULL", "NULL")
            script += """
                INSERT INTO items (id, kind, source, serial_number, slug, content_hash, rating_average, rating_count, is_everywhere, tags, deleted_at)
                VALUES (\(id), '\(item.kind.rawValue)', 'i\(item.number)', \(item.number), 'i\(item.number)', sha256('\(item.number)'),
                    \(average), \(count), \(item.times == nil), '{\(item.tags.joined(separator: ","))}', \(item.isWithdrawn ? "now()" : "NULL"));

                """
            if item.kind == .topApp {
                script += """
                    INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
                    VALUES (\(id), 'org.i\(item.number)', '\(item.developer)', '1', 1, '\(item.day.description)');

                    """
                for (platform, version) in item.platforms {
                    script += "INSERT INTO item_platforms VALUES (\(id), '\(platform)', nullif('\(version)', ''));"
                }
                for (scheme, label) in item.ageRatings {
                    script += "INSERT INTO item_age_ratings VALUES (\(id), '\(scheme)', '\(label)');"
                }
            } else {
                script += """
                    INSERT INTO food_apps (item_id, brand, cuisines, dietary_tags, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
                    VALUES (\(id), 'Saffron', '{\(item.cuisines.joined(separator: ","))}',
                        '{\(item.diets.joined(separator: ","))}', 0, \(item.deliveryMinutes), \(item.priceBand), '\(item.day.description)');

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
            for (storefront, period) in item.periods {
                script += """
                    INSERT INTO item_price_periods
                    SELECT \(id), key, 'price', '[\(period.from),\(period.until))', \(period.amount), currency, \(period.previous.map { "\($0)" } ?? "NULL")
                    FROM storefronts WHERE key = '\(storefront)';

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
        INSERT INTO storefronts (key, currency, time_zone, default_locale, rating_scheme)
        VALUES ('us', 'USD', 'America/New_York', 'en', 'apple-2025'), ('de', 'EUR', 'Europe/Berlin', 'de', 'usk'),
            ('sa', 'SAR', 'Asia/Riyadh', 'ar', 'apple-2015');
        INSERT INTO storefront_locales (storefront, locale, rank)
        VALUES ('us', 'en', 1), ('us', 'es', 2), ('de', 'de', 1), ('de', 'en', 2), ('sa', 'ar', 1), ('sa', 'en', 2);
        INSERT INTO categories (key, item_kind)
        VALUES ('tools', 'topApp'), ('games', 'topApp'), ('dinner', 'foodApp'), ('new', NULL), ('rare', 'topApp');

        """

    /// Runs a body on a connection to a database that a script has filled.
    static func run(
        _ script: String, in configuration: PostgresConfiguration? = nil, filledWithin time: Duration = .seconds(60),
        _ body: @escaping @Sendable (PostgresConnection, CandidateReader) async throws -> Void
    ) async throws {
        try await runWithAnother(script, in: configuration, filledWithin: time) { connection, _, reader async throws in
            try await body(connection, reader)
        }
    }

    /// Runs a body with a second connection to the database on the same event loop.
    static func runWithAnother(
        _ script: String, in given: PostgresConfiguration? = nil, within limit: Duration = .seconds(60),
        filledWithin filling: Duration = .seconds(60),
        _ body: @escaping @Sendable (PostgresConnection, _ other: PostgresConnection, CandidateReader) async throws -> Void
    ) async throws {
        let configuration = try given ?? ScratchDatabase.current.configuration
        try await withLoop { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { connection.close() }
            let other = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { other.close() }
            try await connection.runScript("fixture", script, until: .after(filling))
            let reader = CandidateReader(at: time, eachWithin: limit, PostgresSession(connection, within: .seconds(60)))
            try await body(connection, other, reader)
        }
    }
}

extension RuleCatalog.Item {
    /// The measures as the catalog indexes them.
    fileprivate var measures: [String: String] {
        if kind == .foodApp { return ["delivery": Self.key(of: [deliveryMinutes]), "os:*": ""] }
        var measures: [String: String] = [:]
        for (platform, version) in platforms {
            measures["os:\(platform)"] = Self.key(of: version.split(separator: ".").compactMap { Int($0) })
        }
        let highest = ageRatings.compactMap { RuleCatalog.ages[$0.key]?[$0.value] }.max() ?? 0
        for (scheme, labels) in RuleCatalog.ages {
            let own = ageRatings[scheme].flatMap { labels[$0] }
            let age = own ?? labels.values.filter { $0 >= highest }.min() ?? labels.values.max() ?? 0
            measures["age:\(scheme)"] = Self.key(of: [age])
        }
        return measures
    }

    /// Returns each number after the count of its digits, without zeros at the end.
    private static func key(of numbers: [Int]) -> String {
        var numbers = numbers
        while numbers.last == 0 { numbers.removeLast() }
        return numbers.map { "\("\($0)".count)\($0)" }.joined()
    }
}
