import EventLoop
import Host
import Items
import Postgres
import TestDatabase
import Testing
import Values

@testable import Catalog

@Suite("A catalog in a database with a language collation")
struct DatabaseCollationTests {
    /// Keys, locales and titles that Swedish sorts differently from bytes.
    private static let script = """
        INSERT INTO categories (key, item_kind) VALUES ('a-b', 'topApp'), ('ab', 'topApp'), ('aa', 'topApp'), ('v2', 'topApp'), ('w1', 'topApp');
        SELECT pg_temp.top_app(
            (ARRAY['a-', 'ab-', 'v-', 'w-'])[1 + n % 4] || n,
            jsonb_build_object('en', (ARRAY['Ärger', 'ärlig', 'Zebra', 'Visa', 'wisa', 'ab', 'a b', 'Aa'])[1 + n % 8] || ' ' || n % 5)
                || CASE WHEN n % 3 = 0 THEN jsonb_build_object('zh-Hant', '題 ' || n, 'de', 'Öl ' || n) ELSE '{}' END
                || CASE WHEN n % 4 = 0 THEN jsonb_build_object('ar', 'عنوان ' || n, 'es', 'Ñandú ' || n) ELSE '{}' END,
            ARRAY[(ARRAY['a-b', 'ab', 'aa', 'v2', 'w1'])[1 + n % 5]], rating => n % 5, ratings => 1 + n % 11)
        FROM generate_series(1, 120) AS n;
        SELECT pg_temp.food_app('wok-' || n, '{"en": "Wok"}', storefront => (ARRAY['us', 'de', 'sa'])[1 + n % 3], during => '{(,2026-02-01),[2026-03-01,)}')
        FROM generate_series(1, 30) AS n;
        UPDATE items SET deleted_at = now() WHERE slug LIKE '%9';
        INSERT INTO charts VALUES ('us', 'w-chart'), ('us', 'v-chart');
        """

    /// Returns what clients read, and the contents of the index.
    private static func transcript(_ connection: PostgresConnection, _ reader: CatalogReader) async throws -> [String] {
        var lines = try await reader.storefronts().map(\.key)
        for key in ["us", "de", "sa"] {
            let storefront = try await reader.site(key)
            lines += try await reader.categories(of: nil, in: storefront).map { "\($0.key) \($0.items)" }
            for locale in storefront.locales {
                for order in [ItemOrder.rating, .newest, .title] {
                    lines.append(try await reader.slugs(by: order, in: key, locale.text, limit: 7).joined(separator: " "))
                    var filter = ItemFilter()
                    filter.category = "a-b"
                    lines.append(try await reader.slugs(filter, by: order, in: key, locale.text, limit: 7).joined(separator: " "))
                }
            }
            for text in ["ärlig", "arlig", "visa", "wisa", "題", "öl 3", "nandu", "visaa", "a b", "wok"] {
                lines.append("\(text): " + (try await reader.found(text, in: key)).joined(separator: " "))
            }
        }
        let derived = PostgresQuery(
            "derived",
            """
            SELECT line
            FROM (
                SELECT 'listing ' || listings::text AS line FROM vitrine.listings
                UNION ALL SELECT 'count ' || listing_counts::text FROM vitrine.listing_counts
                UNION ALL SELECT 'title ' || listed_titles::text FROM vitrine.listed_titles
                UNION ALL SELECT 'document ' || search_documents::text FROM vitrine.search_documents
                UNION ALL SELECT 'word ' || word FROM vitrine.search_words
                UNION ALL SELECT 'published ' || id || document FROM vitrine.published
            ) AS lines
            ORDER BY line COLLATE "C"
            """)
        return lines + (try await connection.rows(of: derived, as: String.self, until: .soon))
    }

    private static func lines(_ template: ScratchDatabase.Template) async throws -> (sorted: String, lines: [String]) {
        let result = Locked<(sorted: String, lines: [String])>(("", []))
        try await ScratchDatabase.run(template) { database in
            try await Fixture.run(script, in: database.configuration) { connection, reader async throws in
                let letters = PostgresQuery(
                    "letters", "SELECT string_agg(letter, '' ORDER BY letter) FROM unnest('{z,ä,B,a}'::text[]) AS letter")
                let sorted = try await connection.rows(of: letters, as: String.self, until: .soon).first ?? ""
                let lines = try await transcript(connection, reader)
                result.withLock { $0 = (sorted, lines) }
            }
        }
        return result.withLock { $0 }
    }

    @Test("A database with a Swedish collation reads and indexes the same as one that sorts by bytes")
    func same() async throws {
        let (bytes, swedish) = (try await Self.lines(.migrated), try await Self.lines(.swedish))
        #expect(bytes.sorted == "Bazä" && swedish.sorted == "aBzä")
        #expect(bytes.lines.count > 500)
        for (one, other) in zip(bytes.lines, swedish.lines) { #expect(one == other) }
        #expect(bytes.lines.count == swedish.lines.count)
    }
}
