import EventLoop
import Items
import Postgres
import TestDatabase
import Values

@testable import Catalog

/// A test's own catalog, with three storefronts and functions that create items.
enum Fixture {
    private static func fill(_ connection: PostgresConnection, _ script: String) async throws {
        try await connection.runScript(
            "fixture", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + script, until: .soon)
        // A large script is not indexed at its end.
        try await connection.runScript("derive", "SELECT vitrine.derive_items(1000000)", until: .soon)
        try await connection.publish()
        // Without statistics, the planner assumes that a catalog has ten items.
        try await connection.runScript("analyze", analyze, until: .soon)
    }

    /// Analyzes only Vitrine's own tables. The system tables would take as long as the rest of a small test.
    private static let analyze = """
        DO $$ BEGIN EXECUTE (
            SELECT 'ANALYZE ' || string_agg(oid::regclass::text, ', ') FROM pg_class
            WHERE relnamespace = 'vitrine'::regnamespace AND relkind = 'r');
        END $$;
        """

    static let time = Timestamp("2026-03-01T12:00:00Z") ?? .epoch

    /// Runs a body on a connection to a catalog that a script has filled, with a second connection on the same event loop.
    static func runWithAnother(
        _ script: String,
        _ body: @escaping @Sendable (PostgresConnection, _ other: PostgresConnection, CatalogReader) async throws -> Void
    ) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withLoop { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { connection.close() }
            let other = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { other.close() }
            try await fill(connection, script)
            let reader = CatalogReader(at: time, PostgresSession(connection, within: .seconds(60)))
            try await body(connection, other, reader)
        }
    }

    /// Runs a body on a connection to a catalog that a script has filled.
    static func run(
        _ script: String = "", in configuration: PostgresConfiguration? = nil,
        _ body: @escaping @Sendable (PostgresConnection, CatalogReader) async throws -> Void
    ) async throws {
        try await withConnection(configuration ?? ScratchDatabase.current.configuration) { connection in
            try await fill(connection, script)
            let reader = CatalogReader(at: time, PostgresSession(connection, within: .seconds(60)))
            try await body(connection, reader)
        }
    }
}

extension PostgresConnection {
    /// Publishes all items in their current state.
    func publish() async throws { try await runScript("publish", CatalogRows.publish, until: .soon) }
}

extension CatalogReader {
    func site(_ key: String) async throws -> Storefront {
        guard let storefront = try await storefront(key) else { throw NoStorefront() }
        return storefront
    }

    struct NoStorefront: Error {}

    /// Returns the slugs of all pages of a list.
    func slugs(
        _ filter: ItemFilter = ItemFilter(), by order: ItemOrder, in key: String = "us", _ locale: String = "en", limit: Int = 100
    ) async throws -> [String] {
        let storefront = try await site(key)
        let locales = LocaleFallback(LocaleTag(locale) ?? .english, in: storefront)
        var slugs: [String] = []
        var position: [String]?
        repeat {
            let page = try await browse(filter, by: order, in: storefront, locales, after: position, limit: limit)
            slugs += page.items.map(\.slug)
            position = page.next
            // A scan that returns to an earlier position would never end.
        } while position != nil && Set(slugs).count == slugs.count
        return slugs
    }

    /// Returns whether a search in the storefront reads its first matches in all storefronts.
    func isWide(_ key: String) async throws -> Bool {
        let query = PostgresQuery(CatalogQueries.readSearch, "a", try await site(key).scopes)
        return try await session.rows(
            of: query, as: String.self, [String].self, [String].self, [String].self, [String].self, Bool.self
        ).contains(where: \.5)
    }

    /// Returns the slugs of the search results.
    func found(_ text: String, _ filter: ItemFilter = ItemFilter(), in key: String = "us", limit: Int = 100) async throws -> [String] {
        try await search(text, filter, in: try await site(key), after: nil, limit: limit).items.map(\.slug)
    }
}
