import CatalogImport
import EventLoop
import Postgres
import Security
import TestDatabase
import Testing
import Values

/// The catalog of a test's database, and imports into it.
struct Catalog: Sendable {
    let connection: PostgresConnection

    static let output = """
        {"kind":"storefront","key":"us","currency":"USD","timeZone":"America/New_York","locales":["en","es"],"defaultLocale":"en"}
        {"kind":"storefront","key":"de","currency":"EUR","timeZone":"Europe/Berlin","locales":["de","en"],"defaultLocale":"de"}
        {"kind":"category","key":"productivity","title":{"en":"Productivity"}}
        {"kind":"category","key":"games","itemKind":"topApp","title":"Games"}
        {"kind":"category","key":"arabic","itemKind":"foodApp","title":{"en":"Arabic","ar":"عربي"}}

        """

    /// Runs a body on two connections to the catalog, on one event loop.
    static func withAnother(_ body: @escaping @Sendable (Catalog, _ other: Catalog) async throws -> Void) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withLoop { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { connection.close() }
            let other = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            defer { other.close() }
            try await body(Catalog(connection: connection), Catalog(connection: other))
        }
    }

    struct Run: Sendable {
        var report: ImportReport?
        var failure: ImportFailure?
        var rejects: [Reject] = []
        /// The counts that the last commit reported.
        var remaining: ImportCounts?
        var phases: [ImportPhase] = []
        /// The number of unpublished changes before each pause.
        var waits: [Int] = []
        /// The number of records of each chunk that were not read because the catalog has their lines.
        var skippedOfChunks: [Int] = []

        var skipped: Int { skippedOfChunks.reduce(0, +) }
    }

    /// Imports a text chunk by chunk. `skips` reads the lines of the catalog first, as if the text were long. `isLongFile` also splits the
    /// whole text before its records are read, and has the chunks of a long file.
    func load(
        _ text: String, as format: FileFormat = .jsonl, chunk: Int = 10_000, extraWords: [String] = [], knowsTimeZones: Bool = true,
        skips: Bool = false, isLongFile: Bool = false,
        limits: FileLimits = FileLimits(), wait: PublishingWait? = nil,
        _ change: (inout ImportOptions) -> Void = { _ in }, beforeChunk: (_ number: Int) async throws -> Void = { _ in },
        afterChunk: (_ number: Int) async throws -> Void = { _ in }
    ) async throws -> Run {
        var options = ImportOptions()
        change(&options)
        let session = session
        var vocabulary = try await Importer.vocabulary(session)
        if knowsTimeZones { vocabulary.timeZones = try await Importer.timeZones(session) }
        for word in extraWords { vocabulary.categories[word] = .some(nil) }
        var pieces = [Array(text.utf8)[...]]
        var lines: KnownLines?
        var chunker = FileChunker(
            CatalogFileReader(format, limits: limits, digest: Digest.sha256), size: chunk, unchangedSize: isLongFile ? nil : chunk,
            bytesOfLongFile: skips ? 0 : .max, isLongFile: isLongFile,
            catalog: CatalogSource(
                context: { CatalogContext(vocabulary, hasLines: true) }, hasLines: { pieces.isEmpty }, lines: { lines })
        ) {
            pieces.popLast() ?? []
        }
        var run = Run()
        var rejects: [Reject] = []
        var stored: ImportCounts?
        var phases: [ImportPhase] = []
        var waits: [Int] = []
        var skippedOfChunks: [Int] = []
        let importer = Importer(session, options, vocabulary: vocabulary, wait: wait) { event in
            switch event {
            case .written(_, _, let records): rejects += records.joined()
            case .kept(let counts): stored = counts
            case .phase(let phase): phases.append(phase)
            case .waiting(let changes, _): waits.append(changes)
            }
        }
        do {
            var number = 0
            run.report = try await importer.run {
                number += 1
                try await beforeChunk(number)
                var next = try chunker.next()
                if next?.asksForLines == true {
                    lines = try await KnownLines.read(session)
                    next = try chunker.next()
                }
                if let next { skippedOfChunks.append(next.unchanged.count) }
                // The chunk was read, but not written.
                try await afterChunk(number)
                return next
            }
            if !options.isDryRun { try await importer.derive() }
        } catch let failure as ImportFailure {
            run.failure = failure
        }
        (run.rejects, run.remaining, run.phases, run.waits, run.skippedOfChunks) = (rejects, stored, phases, waits, skippedOfChunks)
        return run
    }

    private var session: PostgresSession { PostgresSession(connection, within: .seconds(60)) }

    var store: ItemStore { ItemStore(session) }

    /// Reads an item, edits it and writes it in one transaction.
    func change(_ id: UUID, _ edits: [String]) async throws -> ItemStore.Change {
        try await session.transaction { session in
            let store = ItemStore(session)
            try await store.hold([id])
            let stored = try #require(try await store.items([id]).first)
            let record = try RecordEdit.apply(try edits.map { try RecordEdit($0) }, to: stored.record)
            guard case .item(let item) = record else { throw PostgresError(.misuse, "a record that is no item") }
            return try await store.write(item, over: stored, digest: Digest.sha256)
        }
    }

    /// Returns everything that an import writes, as text.
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
                UNION ALL SELECT 'images ' || to_jsonb(item_images)::text FROM item_images
                UNION ALL SELECT 'periods ' || to_jsonb(item_price_periods)::text FROM item_price_periods
                UNION ALL SELECT 'platforms ' || to_jsonb(item_platforms)::text FROM item_platforms
                UNION ALL SELECT 'ratings ' || to_jsonb(item_age_ratings)::text FROM item_age_ratings
                UNION ALL SELECT 'prices ' || to_jsonb(item_prices)::text FROM item_prices
                UNION ALL SELECT 'storefronts ' || to_jsonb(storefronts)::text FROM storefronts
                UNION ALL SELECT 'locales ' || to_jsonb(storefront_locales)::text FROM storefront_locales
                UNION ALL SELECT 'titles ' || to_jsonb(listed_titles)::text FROM listed_titles
                UNION ALL SELECT 'moments ' || to_jsonb(listing_moments)::text FROM listing_moments WHERE step <> 0
                UNION ALL SELECT 'words ' || to_jsonb(categories)::text FROM categories
                UNION ALL SELECT 'titles ' || to_jsonb(category_texts)::text FROM category_texts
                UNION ALL SELECT 'charts ' || to_jsonb(chart_entries)::text FROM chart_entries
            ) AS lines
            """)
    }

    /// Returns the contents of the index, as text.
    func derived() async throws -> String {
        try await text(
            """
            SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                SELECT 'listings ' || (to_jsonb(listings) - 'released_on')::text AS line FROM listings
                UNION ALL SELECT 'counts ' || to_jsonb(listing_counts)::text FROM listing_counts WHERE items <> 0 OR timed <> 0
                UNION ALL SELECT 'documents ' || to_jsonb(search_documents)::text FROM search_documents
                UNION ALL SELECT 'titles ' || to_jsonb(listed_titles)::text FROM listed_titles
                UNION ALL SELECT 'moments ' || to_jsonb(listing_moments)::text FROM listing_moments WHERE step <> 0
                UNION ALL SELECT 'words ' || word FROM search_words
                UNION ALL SELECT DISTINCT 'outbox ' || kind || ' ' || unnest(coalesce(ids::text[], keys)) FROM sync_outbox
                UNION ALL SELECT 'queue ' || cardinality(ids) FROM stale_items
            ) AS lines
            """)
    }

    /// Returns the transaction that wrote each row, and the contents of the outbox.
    func traces() async throws -> String {
        let tables = [
            "items", "top_apps", "food_apps", "item_texts", "item_categories", "item_availability", "item_prices", "item_price_periods",
            "item_images",
            "storefronts",
            "storefront_locales", "categories", "category_texts", "charts", "chart_entries", "sync_outbox",
        ]
        let parts = tables.map { "SELECT '\($0) ' || ctid || ' ' || xmin AS line FROM \($0)" }
        return try await text("SELECT string_agg(line, E'\\n' ORDER BY line) FROM (\(parts.joined(separator: " UNION ALL "))) AS lines")
    }

    /// Waits until another session waits for a lock.
    func waitForAnother() async throws {
        let waiting = "SELECT bool_or(wait_event_type = 'Lock')::text FROM pg_stat_activity WHERE datname = current_database()"
        let limit = Deadline.soon
        while try await text(waiting) != "true" {
            guard Deadline.now < limit else { throw NobodyWaits() }
        }
    }

    /// Waits until another session of this database waits for a lock. Also works within a transaction.
    func waitForLock() async throws {
        let limit = Deadline.soon
        while try await text("SELECT count(*)::text FROM (\(LockWaits.sql)) AS waits") == "0" {
            guard Deadline.now < limit else { throw NobodyWaits() }
        }
    }

    private struct NobodyWaits: Error {}

    func text(_ sql: String) async throws -> String {
        let rows = try await connection.run(
            [PostgresQuery("path", "SET search_path = vitrine, public"), PostgresQuery("text", sql)], until: .soon)
        let values: [String?] = try rows[1].rows(as: String?.self)
        return (values.first ?? nil) ?? ""
    }
}
