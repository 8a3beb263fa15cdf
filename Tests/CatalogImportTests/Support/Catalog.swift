import CatalogImport
import EventLoop
import Postgres
import SQLFiles
import Security
import TestDatabase

/// The catalog of a test's database, and imports into it.
struct Catalog: Sendable {
    let connection: PostgresConnection

    static let words = """
        {"kind":"storefront","key":"us","currency":"USD","timeZone":"America/New_York","locales":["en","es"],"defaultLocale":"en"}
        {"kind":"storefront","key":"de","currency":"EUR","timeZone":"Europe/Berlin","locales":["de","en"],"defaultLocale":"de"}
        {"kind":"category","key":"productivity","title":{"en":"Productivity"}}
        {"kind":"category","key":"games","itemKind":"topApp","title":"Games"}
        {"kind":"category","key":"arabic","itemKind":"foodApp","title":{"en":"Arabic","ar":"عربي"}}

        """

    struct Run: Sendable {
        var report: ImportReport?
        var failure: ImportFailure?
        var rejects: [Reject] = []
    }

    /// Imports a text chunk by chunk.
    func load(
        _ text: String, as format: FileFormat = .jsonl, chunk: Int = 10_000, extraWords: [String] = [],
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) async throws -> Run {
        var options = ImportOptions()
        change(&options)
        let statements = try ImportStatements(QueryLibrary(SQLFiles.queries))
        let lent = ImportConnection(
            run: { try await connection.run($0, until: .soon) },
            copy: { query, rows in try await connection.copyIn("\(query.name)", query.text, from: Once(bytes: rows), until: .soon) },
            transaction: { body in try await connection.transaction(until: .soon) { _ in try await body() } })
        var words = try await Importer.words(statements, lent)
        for word in extraWords { words.categories[word] = .some(nil) }
        var pieces = [Array(text.utf8)[...]]
        var chunker = FileChunker(CatalogFileReader(format, words: words, digest: Digest.sha256), size: chunk) { pieces.popLast() ?? [] }
        var run = Run()
        var rejects: [Reject] = []
        let importer = Importer(statements, lent, options) { _, _, records in rejects += records.joined() }
        do {
            run.report = try await importer.run { try chunker.next() }
        } catch let failure as ImportFailure {
            run.failure = failure
        }
        run.rejects = rejects
        return run
    }

    /// All that an import decides, as text.
    func dump() async throws -> String {
        try await text(
            """
            SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                SELECT 'items ' || (to_jsonb(items) - 'created_at' - 'updated_at' - 'deleted_at')::text || (deleted_at IS NULL) AS line FROM items
                UNION ALL SELECT 'top_apps ' || to_jsonb(top_apps)::text FROM top_apps
                UNION ALL SELECT 'food_apps ' || to_jsonb(food_apps)::text FROM food_apps
                UNION ALL SELECT 'texts ' || to_jsonb(item_texts)::text FROM item_texts
                UNION ALL SELECT 'categories ' || to_jsonb(item_categories)::text FROM item_categories
                UNION ALL SELECT 'availability ' || to_jsonb(item_availability)::text FROM item_availability
                UNION ALL SELECT 'prices ' || to_jsonb(item_prices)::text FROM item_prices
                UNION ALL SELECT 'storefronts ' || to_jsonb(storefronts)::text FROM storefronts
                UNION ALL SELECT 'locales ' || to_jsonb(storefront_locales)::text FROM storefront_locales
                UNION ALL SELECT 'words ' || to_jsonb(categories)::text FROM categories
                UNION ALL SELECT 'titles ' || to_jsonb(category_texts)::text FROM category_texts
                UNION ALL SELECT 'charts ' || to_jsonb(chart_entries)::text FROM chart_entries
            ) AS lines
            """)
    }

    /// Which transaction wrote each row, and what the outbox has.
    func traces() async throws -> String {
        let tables = [
            "items", "top_apps", "food_apps", "item_texts", "item_categories", "item_availability", "item_prices", "storefronts",
            "storefront_locales", "categories", "category_texts", "charts", "chart_entries", "sync_outbox",
        ]
        let parts = tables.map { "SELECT '\($0) ' || ctid || ' ' || xmin AS line FROM \($0)" }
        return try await text("SELECT string_agg(line, E'\\n' ORDER BY line) FROM (\(parts.joined(separator: " UNION ALL "))) AS lines")
    }

    func text(_ sql: String) async throws -> String {
        let rows = try await connection.run(
            [PostgresQuery("path", "SET search_path = vitrine, public"), PostgresQuery("text", sql)], until: .soon)
        let values: [String?] = try rows[1].rows(as: String?.self)
        return (values.first ?? nil) ?? ""
    }
}

private struct Once: AsyncSequence, AsyncIteratorProtocol {
    var bytes: [UInt8]?

    func makeAsyncIterator() -> Once { self }

    mutating func next() -> [UInt8]? { bytes.take() }
}
