internal import Postgres
import Settings

/// Facts that generated items do not have: tags, and the prices of sales.
enum MeasuredFacts {
    /// The tag of one item in fifty.
    static let tag = "made-here"
    /// The tag of twenty items of a catalog of any size.
    static let rareTag = "rare"

    /// Adds the facts to a catalog. One in five of the paid apps is on sale at half of its price.
    static func add(to url: DatabaseURL) throws {
        _ = try PSQL(url: url.exposed).time(
            "SET search_path = vitrine, public",
            """
            UPDATE items SET tags = CASE WHEN serial_number % rare = 1 THEN '{\(tag),\(rareTag)}' ELSE '{\(tag)}' END::text[]
            FROM (SELECT max(serial_number) / 20 AS rare FROM items) AS sizes
            WHERE serial_number % 50 = 0 OR serial_number % rare = 1
            """,
            """
            INSERT INTO item_price_periods (item_id, storefront, role, during, amount_minor, currency, former_minor)
            SELECT item_id, storefront, role, '[2026-02-01,2026-04-01)', amount_minor / 2, currency, amount_minor
            FROM item_prices JOIN items ON id = item_id
            WHERE role = 'price' AND kind = 'topApp' AND amount_minor > 0 AND serial_number % 5 = 0
            """,
            "SELECT derive_items(1000000)", "VACUUM ANALYZE")
    }
}
