package import Items
package import Postgres
package import Values

/// Reads the catalog as one request needs it: at one moment.
package struct CatalogReader {
    package let moment: Timestamp
    /// As `IndexScan.costOfFinding`.
    package var costOfFinding = IndexScan.costOfFinding
    let session: PostgresSession

    package init(at moment: Timestamp, _ session: PostgresSession) {
        self.moment = moment
        self.session = session
    }

    /// The secret that cursors are sealed with, of 32 bytes.
    package func cursorKey() async throws(PostgresError) -> [UInt8] {
        guard let key = try await session.rows(of: PostgresQuery(CatalogQueries.cursorKey), as: Bytes.self).first else {
            throw PostgresError(.undecodable, "there is no key of cursors", query: CatalogQueries.cursorKey.name.description)
        }
        return key.bytes
    }

    /// In the order of their keys.
    package func storefronts() async throws(PostgresError) -> [Storefront] { try await storefronts(nil) }

    /// Nil where there is none.
    package func storefront(_ key: String) async throws(PostgresError) -> Storefront? {
        try await storefronts(key).first
    }

    private func storefronts(_ key: String?) async throws(PostgresError) -> [Storefront] {
        let rows = try await session.rows(
            of: PostgresQuery(CatalogQueries.storefronts, key), as: String.self, String.self, String.self, String.self, [String].self)
        return rows.compactMap { key, currency, timeZone, defaultLocale, locales in
            LocaleTag(defaultLocale).map {
                Storefront(
                    key: key, currency: currency, timeZone: timeZone, locales: locales.compactMap { LocaleTag($0) }, defaultLocale: $0)
            }
        }
    }

    /// In the order of the ids, without those that are not in the storefront now.
    package func items(_ ids: [UUID], in storefront: Storefront) async throws(PostgresError) -> [Item] {
        if ids.isEmpty { return [] }
        let query = PostgresQuery(CatalogQueries.items, ids)
        return try await session.rows(of: query, as: Int.self, JSONBytes.self)
            .map { version, document throws(PostgresError) in try Item(version: version, document, query: query.name) }
            .filter { $0.availability.isThere(in: storefront.key, at: moment) }
    }

    /// In the order of their keys; of one kind, those that its items may have.
    package func categories(of kind: ItemKind?, in storefront: Storefront) async throws(PostgresError) -> [Category] {
        let query = PostgresQuery(CatalogQueries.categories, storefront.scopes, moment, kind?.rawValue)
        let rows = try await session.rows(of: query, as: String.self, String?.self, JSONBytes.self, Int.self)
        return try rows.map { key, kind, titles, items throws(PostgresError) in
            Category(
                key: key, itemKind: kind.flatMap(ItemKind.init), titles: try titles.localized(query: query.name), items: items)
        }
    }

    package func hasCategory(_ key: String) async throws(PostgresError) -> Bool {
        try await session.rows(of: PostgresQuery(CatalogQueries.hasCategory, key), as: Bool.self).first ?? false
    }

    package func hasChart(_ name: String, in storefront: Storefront) async throws(PostgresError) -> Bool {
        try await session.rows(of: PostgresQuery(CatalogQueries.hasChart, storefront.key, name), as: Bool.self).first ?? false
    }
}
