import Feeds
import Items
import TestSupport
import Values

/// An item of a `World` with its possible changes.
struct WorldItem {
    /// A period of availability, without a start or an end if that is nil.
    struct Window {
        var from: Timestamp?
        var until: Timestamp?

        func contains(_ time: Timestamp) -> Bool { from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true }

        var text: String { "[\(from?.description ?? ""),\(until?.description ?? ""))" }
    }

    /// A period with another price.
    struct Period {
        let from: Timestamp
        let until: Timestamp
        let amount: Int
        /// The price before the sale.
        let previous: Int?
    }

    let id: UUID
    let number: Int
    let kind: ItemKind
    var slug: String
    var categories: [String] = []
    var cuisines: [String] = []
    var priceBand = 1
    var rating: (hundredths: Int, count: Int)?
    var day = CalendarDay.of("2024-05-01")
    var prices: [String: Int] = [:]
    /// The price periods by storefront.
    var periods: [String: [Period]] = [:]
    /// The windows by storefront, or nil if the item is always available everywhere.
    var windows: [String: [Window]]?
    var titles: [LocaleTag: String] = [:]
    /// Whether the item is withdrawn. It may be restored.
    var isWithdrawn = false
    /// Whether the row of the item is deleted.
    var isErased = false

    /// All platforms of clients, each of which is served.
    static let allPlatforms = ["android", "ios", "ipados", "linux", "macos", "tvos", "visionos", "watchos"]

    /// The platforms whose clients run the item, or nil if all do. Every third TopApp is also made for Android.
    var platforms: Set<String>? {
        guard kind == .topApp else { return nil }
        return isForAndroid ? ["ios", "ipados", "android"] : ["ios", "ipados"]
    }

    private var isForAndroid: Bool { kind == .topApp && number.isMultiple(of: 3) }

    func isShown(in storefront: String, at time: Timestamp) -> Bool {
        if isWithdrawn || isErased { return false }
        guard let windows else { return true }
        return windows[storefront]?.contains { $0.contains(time) } ?? false
    }

    func isNamed(by reference: ItemReference) -> Bool {
        switch reference {
        case .id(let id): id == self.id
        case .slug(let kind, let slug): kind == self.kind && slug == self.slug && !isWithdrawn && !isErased
        }
    }

    func facts(in storefront: String, at time: Timestamp) -> ItemFacts {
        let period = periods[storefront]?.first { $0.from <= time && time < $0.until }
        var facets = Set(categories.map { "category:\($0)" } + cuisines.map { "cuisine:\($0)" })
        facets.formUnion((platforms ?? Set(Self.allPlatforms)).map { "on:\($0)" })
        var measures: [String: String]
        switch kind {
        case .topApp:
            // The label 4+ is mapped to 6 in Germany.
            measures = ["os:ios": "", "age:apple-2015": "14", "age:apple-2025": "14", "age:usk": "16"]
            if isForAndroid { measures["os:android"] = "" }
        case .foodApp:
            facets.insert("priceBand:\(priceBand)")
            measures = ["os:*": "", "delivery": "12"]
        }
        return ItemFacts(
            id: id, kind: kind, facets: facets, ratingAverage: rating?.hundredths ?? 0, ratingCount: rating?.count ?? 0, releasedOn: day,
            serialNumber: number, priceMinor: period?.amount ?? prices[storefront],
            pricePeriod: period.map { ItemFacts.Period(until: $0.until, previousMinor: $0.previous) },
            measures: RuleMeasures(measures))
    }

    /// The script that writes the rows of the item.
    var script: String {
        let id = "'\(id)'"
        if isErased { return "DELETE FROM items WHERE id = \(id);\n" }
        let (average, count) = rating.map { ("\($0.hundredths) / 100.0", "\($0.count)") } ?? ("NULL", "NULL")
        var script = """
            INSERT INTO items (id, kind, source, serial_number, slug, content_hash, rating_average, rating_count, is_everywhere, deleted_at)
            VALUES (\(id), '\(kind.rawValue)', 'i\(number)', \(number), '\(slug)', sha256('\(number)'), \(average), \(count), \(windows == nil),
                \(isWithdrawn ? "now()" : "NULL"))
            ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, rating_average = excluded.rating_average,
                rating_count = excluded.rating_count, is_everywhere = excluded.is_everywhere, deleted_at = excluded.deleted_at;

            """
        switch kind {
        case .topApp:
            script += """
                INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
                VALUES (\(id), 'org.i\(number)', 'Quay', '1', 1, '\(day.description)')
                ON CONFLICT (item_id) DO UPDATE SET release_date = excluded.release_date;
                INSERT INTO item_platforms (item_id, platform)
                SELECT \(id), unnest('{\(isForAndroid ? "ios,android" : "ios")}'::text[]) ON CONFLICT DO NOTHING;
                INSERT INTO item_age_ratings (item_id, scheme, label) VALUES (\(id), 'apple-2015', '4+') ON CONFLICT DO NOTHING;

                """
        case .foodApp:
            script += """
                INSERT INTO food_apps (item_id, brand, cuisines, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
                VALUES (\(id), 'Saffron', '{\(cuisines.joined(separator: ","))}', 1, 2, \(priceBand), '\(day.description)')
                ON CONFLICT (item_id) DO UPDATE SET cuisines = excluded.cuisines, price_band = excluded.price_band,
                    release_date = excluded.release_date;

                """
        }
        for table in ["item_categories", "item_texts", "item_prices", "item_price_periods", "item_availability"] {
            script += "DELETE FROM \(table) WHERE item_id = \(id);"
        }
        for (rank, category) in categories.enumerated() {
            script += "INSERT INTO item_categories VALUES (\(id), '\(category)', \(rank + 1));"
        }
        for (locale, title) in titles.sorted(by: { $0.key.text < $1.key.text }) {
            script += "INSERT INTO item_texts (item_id, locale, title) VALUES (\(id), '\(locale)', '\(title)');"
        }
        for (storefront, amount) in prices.sorted(by: { $0.key < $1.key }) {
            script +=
                "INSERT INTO item_prices SELECT \(id), key, 'price', \(amount), currency FROM storefronts WHERE key = '\(storefront)';"
        }
        for (storefront, periods) in periods.sorted(by: { $0.key < $1.key }) {
            for period in periods {
                script += """
                    INSERT INTO item_price_periods
                    SELECT \(id), key, 'price', '[\(period.from),\(period.until))', \(period.amount), currency,
                        \(period.previous.map { "\($0)" } ?? "NULL")
                    FROM storefronts WHERE key = '\(storefront)';
                    """
            }
        }
        for (storefront, windows) in (windows ?? [:]).sorted(by: { $0.key < $1.key }) {
            script +=
                "INSERT INTO item_availability VALUES (\(id), '\(storefront)', '{\(windows.map(\.text).joined(separator: ","))}');"
        }
        return script + "\n"
    }
}
