internal import CatalogImport
internal import Postgres
internal import SQLFiles
internal import Security

/// What a developer's own database shows before anything was imported.
enum SampleCatalog {
    /// Imports it where there is no storefront yet, all of it or nothing; nil where there is one.
    static func load(_ connection: PostgresConnection) async throws -> ImportCounts? {
        let statements = try ImportStatements(QueryLibrary(SQLFiles.queries))
        let lent = ImportConnection(over: connection)
        let words = try await Importer.words(statements, lent)
        guard words.storefronts.isEmpty else { return nil }
        var files = SQLFiles.sample.map(\.bytes)[...]
        var chunker = FileChunker(CatalogFileReader(.jsonl, words: words, digest: Digest.sha256), size: 10_000) {
            files.popFirst()?[...] ?? []
        }
        let importer = Importer(statements, lent, ImportOptions()) { _, _, _ in }
        return try await importer.run { try chunker.next() }.counts
    }
}
