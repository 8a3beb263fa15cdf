import EventLoop
import Host
import JSON
import Postgres
import SQLFiles
import TestDatabase
import Testing

@testable import Catalog

/// The plans of the catalog's reads, on two catalogs of which one is four times the other.
@Suite("A read of the catalog")
struct PlanTests {
    /// What a plan did.
    private struct Plan {
        var indexes: Set<String> = []
        var scanned: Set<String> = []
        /// Of all tables and indexes, those that were thrown away included.
        var rows = 0.0

        init(_ node: JSONNode) { visit(node) }

        private mutating func visit(_ node: JSONNode) {
            if let name = node["Index Name"]?.string { indexes.insert(name) }
            if node["Node Type"]?.string == "Seq Scan", let table = node["Relation Name"]?.string { scanned.insert(table) }
            if node["Relation Name"] != nil || node["Index Name"] != nil {
                let counts = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"]
                rows += (node["Actual Loops"]?.double ?? 1) * counts.reduce(0) { $0 + (node[$1]?.double ?? 0) }
            }
            guard let children = node["Plans"] else { return }
            for child in children.elements { visit(child) }
        }
    }

    private static let never = "9223372036854775807"
    private static let firstID = "'00000000-0000-0000-0000-000000000000'"
    private static let lastID = "'ffffffff-ffff-ffff-ffff-ffffffffffff'"
    private static let fiftyIDs = (1...50).map { UUID(high: 0, low: $0).description }.joined(separator: ",")
    /// Each read as the store asks it, with the index that it is to walk.
    private static let reads: [(query: String, values: String, index: String)] = [
        ("browse_by_rating", "'{*,us}', '{topApp,topApp}', now(), '{}', '{}', '0', 51, '6', \(never), \(never)", "listings_by_rating"),
        (
            "browse_by_rating", "'{*,us}', '{topApp,foodApp}', now(), '{category:tools}', '{paid:us}', '4', 51, '4.5', 1000, 100",
            "listings_by_rating"
        ),
        ("browse_by_release", "'{*,us}', '{foodApp,foodApp}', now(), '{}', '{}', '0', 51, '2199-01-01', \(never)", "listings_by_release"),
        (
            "browse_by_title", "'{*,us}', '{topApp,foodApp}', now(), '{}', '{}', '0', 51, 'M', \(firstID), '{en}'",
            "item_texts_by_title"
        ),
        (
            "browse_by_title_ar", "'{*,sa}', '{topApp,foodApp}', now(), '{}', '{}', '0', 51, '', \(firstID), '{ar,en}'",
            "item_texts_by_title_ar"
        ),
        (
            "browse_rare_by_rating",
            "'{*,us}', '{foodApp}', now(), '{cuisine:rare}', '{}', '0', 51, '6', \(never), \(never), '''@cuisine:rare'''",
            "search_documents_band_0"
        ),
        ("chart_page", "'us', 'top-free', 20, now(), '{}', '{}', '0', '{topApp}', 51", "chart_entries_pkey"),
        (
            "search",
            "'''title'':* & ''@*''', '''=title'':* & ''@*''', 'title', '{title}', '{*,us}', now(), '0', 51, 2147483647, \(never), \(lastID)",
            "search_documents_band_8"
        ),
        ("similar_words", "'{wrod77}'", "search_words_pkey"),
        ("items", "'{\(fiftyIDs)}', 'us', now()", "item_texts_pkey"),
    ]

    /// Words, ratings and days are spread alike whatever the size.
    private static func fill(_ size: Int) -> String {
        """
        INSERT INTO items (id, kind, source, slug, content_hash, rating_average, rating_count, is_everywhere)
        SELECT
            lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 3 = 0 THEN 'foodApp' ELSE 'topApp' END::item_kind, 'app-' || n, 'app-' || n,
            sha256(int8send(n)), n % 51 / 10.0, (2 ^ (n * 7919 % 18))::bigint, n % 3 <> 0
        FROM generate_series(1, \(size)) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, platforms, age_rating, release_date)
        SELECT id, slug, 'Quay', '1', 1, '{ios}', '4+', date '2015-01-01' + (serial_number % 3000)::integer FROM items WHERE kind = 'topApp';
        INSERT INTO food_apps (item_id, brand, cuisines, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
        SELECT id, 'Saffron', CASE WHEN serial_number % \(size / 10) = 0 THEN '{rare}' ELSE '{thai}' END::text[], 1, 2, 1,
            date '2015-01-01' + (serial_number % 3000)::integer
        FROM items WHERE kind = 'foodApp';
        INSERT INTO item_texts (item_id, locale, title, subtitle)
        SELECT id, 'en', chr(65 + (serial_number % 26)::integer) || ' title ' || serial_number, 'word' || serial_number % 200 FROM items
        UNION ALL
        SELECT id, 'ar', 'عنوان ' || serial_number, NULL FROM items WHERE serial_number % 4 = 0;
        INSERT INTO item_categories (item_id, category, rank)
        SELECT id, CASE WHEN kind = 'foodApp' THEN 'dinner' WHEN serial_number % 2 = 0 THEN 'games' ELSE 'tools' END, 1 FROM items;
        INSERT INTO item_availability (item_id, storefront, during)
        SELECT id, (ARRAY['us', 'de', 'sa'])[1 + serial_number % 3], '{(,)}' FROM items WHERE kind = 'foodApp';
        INSERT INTO charts VALUES ('us', 'top-free');
        INSERT INTO chart_entries SELECT 'us', 'top-free', row_number() OVER (), id FROM items WHERE kind = 'topApp' LIMIT 500;
        """
    }

    /// What each read does in a catalog of so many items, with the plan that is made without its values.
    private static func plans(_ size: Int) async throws -> [Plan] {
        let library = try QueryLibrary(SQLFiles.queries)
        let plans = Locked<[Plan]>([])
        try await ScratchDatabase.run { database in
            try await Fixture.run("BEGIN; \(fill(size)) COMMIT; ANALYZE", in: database.configuration) { connection, _ async throws in
                for (number, read) in reads.enumerated() {
                    let text = try library.query("catalog.\(read.query)").text
                    let script = "SET plan_cache_mode = force_generic_plan; PREPARE read_\(number) AS \(text)"
                    try await connection.runScript("prepare", script, until: .soon)
                    let explain = PostgresQuery(
                        "explain", "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE read_\(number) (\(read.values))", isPrepared: false)
                    let rows = try await connection.rows(of: explain, as: JSONBytes.self, until: .soon)
                    let document = try JSONDocument(parsing: try #require(rows.first).bytes, limits: .ownOutput)
                    let plan = try #require(document.root.elements.first { _ in true }?["Plan"])
                    plans.withLock { $0.append(Plan(plan)) }
                }
            }
        }
        return plans.withLock { $0 }
    }

    @Test("walks its index, and touches no more in a catalog that is four times as large")
    func proportion() async throws {
        let (small, large) = (try await Self.plans(4_000), try await Self.plans(16_000))
        for (number, read) in Self.reads.enumerated() {
            #expect(large[number].indexes.contains(read.index), "\(read.query): \(large[number].indexes)")
            let scanned = large[number].scanned.intersection(["items", "item_texts", "listings", "search_documents", "chart_entries"])
            #expect(scanned.isEmpty, "\(read.query)")
            #expect(
                large[number].rows <= 2 * small[number].rows + 100, "\(read.query): \(small[number].rows) and \(large[number].rows) rows")
        }
    }
}
