import CatalogImport
import EventLoop
import Postgres
import SQLFiles
import TestDatabase
import Testing

@testable import CLI

@Suite("The sample catalog", .databaseForEachTest) struct SampleLoadingTests {
    private static func items(_ connection: PostgresConnection) async throws -> Int {
        let query = PostgresQuery("count", "SELECT count(*) FROM vitrine.items")
        let rows: [Int] = try await connection.run([query], until: .soon)[0].rows(as: Int.self)
        return rows[0]
    }

    @Test("The sample catalog is loaded as a whole into an empty database, and not into one with items")
    func whole() async throws {
        try await withConnection { connection in
            let missing = try await (SampleCatalog.missingRecords(connection), SampleFeeds.missingFeeds(connection))
            let first = try await SampleCatalog.load(connection)
            #expect(first?.new == missing.0)
            let feeds = try await SampleFeeds.load(connection)
            #expect(feeds == missing.1)
            let rest = try await (SampleCatalog.missingRecords(connection), SampleFeeds.missingFeeds(connection))
            #expect(rest == (0, 0))
            #expect(try await Self.items(connection) == 200)
            let again = try await SampleCatalog.load(connection)
            #expect(again == nil)
        }
    }

    private static func servedPlatforms(_ connection: PostgresConnection) async throws -> [String] {
        let query = PostgresQuery("served", "SELECT key FROM vitrine.platforms WHERE is_served ORDER BY key")
        return try await connection.run([query], until: .soon)[0].rows(as: String.self)
    }

    @Test("The sample serves only the platforms on which its sections have enough items")
    func platforms() async throws {
        try await withConnection { connection in
            _ = try await SampleCatalog.load(connection)
            let served = try await Self.servedPlatforms(connection)
            #expect(served == ["android", "ios", "ipados"])
        }
    }

    @Test("If a process was killed before it indexed the items, the next one indexes them and publishes the feeds")
    func unindexed() async throws {
        try await withConnection { connection in
            _ = try await SampleCatalog.load(connection)
            try await connection.runScript(
                "queue", "SELECT vitrine.queue_all_items(); DELETE FROM vitrine.listings; DELETE FROM vitrine.search_documents",
                until: .soon)
            #expect(try await SampleCatalog.load(connection) == nil)
            let feeds = try await SampleFeeds.load(connection)
            #expect(feeds > 0)
        }
    }

    @Test("A sample with an invalid record is not loaded and changes no platform, and the error names the record")
    func faulty() async throws {
        let files = SQLFiles.sample.map(\.bytes) + [Array("{\"kind\":\"category\",\"key\":\"B A D\",\"title\":\"Bad\"}\n".utf8)]
        try await withConnection { connection async throws in
            let served = try await Self.servedPlatforms(connection)
            let error = await #expect(throws: SampleCatalog.Faulty.self) { try await SampleCatalog.load(connection, files: files) }
            #expect(error?.description.contains("(/key)") == true)
            let left = try await Self.items(connection)
            #expect(left == 0)
            #expect(try await Self.servedPlatforms(connection) == served)
        }
    }
}
