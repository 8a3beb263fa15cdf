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
    /// The windows by storefront, or nil if the item is always available everywhere.
    var windows: [String: [Window]]?
    var titles: [LocaleTag: String] = [:]
    /// Whether the item is withdrawn. It may be restored.
    var isWithdrawn = false
    /// Whether the row of the item is deleted.
    var isErased = false

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

    func facts(in storefront: String) -> ItemFacts {
        var facets = Set(categories.map { "category:\($0)" } + cuisines.map { "cuisine:\($0)" })
        if kind == .foodApp { facets.insert("priceBand:\(priceBand)") }
        return ItemFacts(
            id: id, kind: kind, facets: facets, ratingAverage: rating?.hundredths ?? 0, ratingCount: rating?.count ?? 0, releasedOn: day,
            serialNumber: number, priceMinor: prices[storefront])
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
                INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, platforms, age_rating, release_date)
                VALUES (\(id), 'org.i\(number)', 'Quay', '1', 1, '{ios}', '4+', '\(day.description)')
                ON CONFLICT (item_id) DO UPDATE SET release_date = excluded.release_date;

                """
        case .foodApp:
            script += """
                INSERT INTO food_apps (item_id, brand, cuisines, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
                VALUES (\(id), 'Saffron', '{\(cuisines.joined(separator: ","))}', 1, 2, \(priceBand), '\(day.description)')
                ON CONFLICT (item_id) DO UPDATE SET cuisines = excluded.cuisines, price_band = excluded.price_band,
                    release_date = excluded.release_date;

                """
        }
        for table in ["item_categories", "item_texts", "item_prices", "item_availability"] {
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
        for (storefront, windows) in (windows ?? [:]).sorted(by: { $0.key < $1.key }) {
            script +=
                "INSERT INTO item_availability VALUES (\(id), '\(storefront)', '{\(windows.map(\.text).joined(separator: ","))}');"
        }
        return script + "\n"
    }
}
