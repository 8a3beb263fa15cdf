import EventLoop
import Postgres
import TestDatabase
import Testing

@testable import Catalog
@testable import Items

@Suite("The bands of the search index", .databaseForEachTest)
struct SearchBandTests {
    @Test("A band has the items with a number of ratings, and those without ratings are in five bands, each larger than the ones before it")
    func bands() async throws {
        try await Fixture.run { connection, _ async throws in
            let rated = PostgresQuery(
                "rated",
                """
                SELECT vitrine.search_band(count, md5(count::text)::uuid)::bigint
                FROM unnest('{1,3,4,15,16,1023,1024,65535,65536,9000000000}'::bigint[]) WITH ORDINALITY AS counts (count, place) ORDER BY place
                """)
            #expect(try await connection.rows(of: rated, as: Int.self, until: .soon) == [0, 0, 1, 1, 2, 4, 5, 7, 8, 8])
            let unrated = PostgresQuery(
                "unrated",
                """
                SELECT count(*) FROM (SELECT vitrine.search_band(0, md5(n::text)::uuid) AS band FROM generate_series(1, 10000) AS n) AS bands
                GROUP BY band ORDER BY band DESC
                """)
            #expect(try await connection.rows(of: unrated, as: Int.self, until: .soon) == [32, 111, 477, 1_908, 7_472])
        }
    }

    @Test("An item of the index of an earlier version moves to its band when it is indexed again")
    func moved() async throws {
        try await Fixture.run(#"SELECT pg_temp.top_app('a', '{"en": "Harbor"}')"#) { connection, reader async throws in
            let band = PostgresQuery("band", "SELECT band::bigint FROM vitrine.search_documents")
            let before = try await connection.rows(of: band, as: Int.self, until: .soon)
            #expect(before.count == 1 && before.allSatisfy { $0 < 0 })
            try await connection.runScript("move", "UPDATE vitrine.search_documents SET band = 0", until: .soon)
            #expect(try await reader.found("harbor") == ["a"])
            try await connection.runScript("again", "SELECT vitrine.queue_all_items(); SELECT vitrine.derive_items(10)", until: .soon)
            #expect(try await connection.rows(of: band, as: Int.self, until: .soon) == before)
        }
    }

    @Test("Each two adjacent words of a title are a word of the index, and words of two titles are not")
    func pairs() async throws {
        let items = #"SELECT pg_temp.top_app('a', '{"en": "Harbor Notes Pro", "de": "Hafen", "ja": "A B"}', subtitle => 'Not this')"#
        try await Fixture.run(items) { connection, _ async throws in
            let pairs = PostgresQuery(
                "pairs",
                """
                SELECT lexeme FROM vitrine.search_documents CROSS JOIN unnest(document) WHERE lexeme LIKE '~%' ORDER BY lexeme COLLATE "C"
                """)
            #expect(try await connection.rows(of: pairs, as: String.self, until: .soon) == ["~a b", "~harbor notes", "~notes pro"])
        }
    }

    /// Writes documents of items that all have the same words and number of ratings, without the items.
    private static func fill(_ size: Int, ratings: Int = 0) -> String {
        """
        ALTER TABLE vitrine.search_documents SET (autovacuum_enabled = false);
        ALTER TABLE vitrine.listings SET (autovacuum_enabled = false);
        INSERT INTO vitrine.search_documents (item_id, band, rating_count, titles, document)
        SELECT
            id, vitrine.search_band(\(ratings), id), \(ratings), '| my harbor notes ' || n || ' |',
            array_to_tsvector(ARRAY[
                'my', 'harbor', 'notes', n::text, '~my harbor', '~harbor notes', '~notes ' || n, '=my harbor notes ' || n, '@*', '@topApp'])
        FROM (SELECT n, md5(n::text)::uuid AS id FROM generate_series(1, \(size)) AS n) AS ids;
        INSERT INTO vitrine.listings (item_id, scope, kind, facets, rating_average, rating_count, released_on, serial_number)
        SELECT item_id, '*', 'topApp', '{titles:en}', 0, rating_count, '2024-01-01', row_number() OVER () FROM vitrine.search_documents;
        """
    }

    /// The entries that searches of the transaction have read in the indexes of documents.
    private static let entries = PostgresQuery(
        "entries",
        """
        SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0)::bigint FROM pg_index
        WHERE indrelid = 'vitrine.search_documents'::regclass
        """)

    private static func entries(_ text: String, _ connection: PostgresConnection, _ reader: CatalogReader) async throws -> Int {
        try await connection.runScript("begin", "BEGIN", until: .soon)
        _ = try await reader.search(text, ItemFilter(), in: try await reader.site("us"), after: nil, limit: 50)
        let read = try await connection.rows(of: entries, as: Int.self, until: .soon)
        try await connection.runScript("end", "COMMIT", until: .soon)
        return read.first ?? 0
    }

    @Test(
        "A search reads no more of the index among four times as many items without ratings",
        arguments: ["harbor", "harbor notes", "harbor no"])
    func unrated(text: String) async throws {
        try await Fixture.run { connection, reader async throws in
            var read: [Int] = []
            for size in [3_000, 12_000] {
                try await connection.runScript(
                    "fill", "DELETE FROM vitrine.search_documents; DELETE FROM vitrine.listings; \(Self.fill(size))", until: .soon)
                // New words are in a pending list until then.
                try await connection.runScript("vacuum", "VACUUM ANALYZE vitrine.search_documents, vitrine.listings", until: .soon)
                read.append(try await Self.entries(text, connection, reader))
            }
            #expect(read[0] > 150 && read[1] <= 2 * read[0] && read[1] < 6_000, "\(read)")
        }
    }

    @Test("Each band is read by its own index")
    func plan() async throws {
        try await Fixture.run(Self.fill(8_000)) { connection, _ async throws in
            try await connection.runScript("vacuum", "VACUUM ANALYZE vitrine.search_documents", until: .soon)
            let plan = PostgresQuery(
                "plan", "EXPLAIN (COSTS OFF) SELECT item_id FROM vitrine.matching_documents('''~harbor notes'' & ''~notes 77''')")
            let lines = try await connection.rows(of: plan, as: String.self, until: .soon)
            let indexes = Set(lines.filter { $0.contains("Bitmap Index Scan on ") }.compactMap { $0.split(separator: " ").last })
            #expect(indexes.count == 14 && !lines.contains { $0.contains("Seq Scan") }, "\(lines)")
        }
    }

    @Test("A search ends with the query that fills a page, and its pages have the items with the most ratings")
    func filled() async throws {
        // More than a page has the words next to each other, in one band. All others have fewer ratings.
        let items = """
            SELECT pg_temp.top_app('best-' || n, '{"en": "My Harbor Notes"}', rating => 4, ratings => 70000 + n)
            FROM generate_series(1, 140) AS n;
            SELECT pg_temp.top_app('rest-' || n, '{"en": "My Harbor Notes"}', rating => 4, ratings => 1 + n % 5)
            FROM generate_series(1, 100) AS n;
            SELECT pg_temp.top_app('apart-' || n, '{"en": "Notes of my Harbor"}', rating => 4, ratings => 90000)
            FROM generate_series(1, 20) AS n;
            """
        try await Fixture.run(items) { _, reader async throws in
            let storefront = try await reader.site("us")
            var slugs: [String] = []
            var position: [String]?
            repeat {
                let page = try await reader.search("harbor notes", ItemFilter(), in: storefront, after: position, limit: 37)
                slugs += page.items.map(\.slug)
                position = page.next
            } while position != nil && slugs.count < 300
            #expect(Array(slugs.prefix(140)) == (1...140).reversed().map { "best-\($0)" })
            #expect(slugs.count == 150 && Set(slugs).count == 150 && slugs.dropFirst(140).allSatisfy { $0.hasPrefix("rest-") })
        }
    }
}
