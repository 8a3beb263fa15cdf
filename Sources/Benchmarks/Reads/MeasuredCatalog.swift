import Catalog
import Items
import Postgres
import Settings
import Values

/// A catalog with some of its words and IDs, which the reads use as parameters.
struct MeasuredCatalog {
    private let client: PostgresClient
    private let titles: [String]
    private let ids: [UUID]
    private let categories: [String]
    private let developers: [String]

    init(_ url: DatabaseURL) throws {
        client = try PostgresClient(url)
        // The query returns the same for both sizes, because the seed generates the same first items.
        let query = PostgresQuery(
            "some",
            """
            SELECT id, (SELECT title FROM vitrine.item_texts WHERE item_id = id ORDER BY locale <> 'en', locale LIMIT 1)
            FROM vitrine.items WHERE is_everywhere ORDER BY serial_number LIMIT 5000
            """)
        let rows = try client.run { try await $0.rows(of: query, as: UUID.self, String.self, until: .late) }
        (ids, titles) = (rows.map(\.0), rows.map(\.1))
        let keys = PostgresQuery("categories", "SELECT key FROM vitrine.categories ORDER BY key")
        categories = try client.run { try await $0.rows(of: keys, as: String.self, until: .late) }
        let apps = PostgresQuery(
            "developers",
            "SELECT developer FROM vitrine.top_apps JOIN vitrine.items ON id = item_id WHERE is_everywhere ORDER BY serial_number LIMIT 5000"
        )
        developers = try client.run { try await $0.rows(of: apps, as: String.self, until: .late) }
    }

    func close() throws { try client.close() }

    /// Returns the times of random calls in ascending order. The seed determines the calls.
    func times(_ read: CatalogRead, calls: Int, seed: UInt64) throws -> [Duration] {
        try client.run { [titles, ids, categories, developers] pool in
            var chance = ReadChance(seed: seed, titles: titles, ids: ids, categories: categories, developers: developers)
            let reader = MeasuredReader(pool)
            let storefronts = try await reader.catalog.storefronts()
            var times: [Duration] = []
            for _ in 0..<calls {
                let storefront = storefronts[chance.below(storefronts.count)]
                let locale = storefront.locales[chance.below(storefront.locales.count)]
                let locales = LocaleFallback(locale, in: storefront)
                let start = ContinuousClock.now
                try await read.run(reader, storefront, locales, &chance)
                times.append(start.duration(to: .now))
            }
            return times.sorted()
        }
    }
}
