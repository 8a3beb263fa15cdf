package import CatalogImport
package import Postgres
internal import SQLFiles
internal import Security

package enum SampleCatalog {
    /// An error thrown if a record of the sample breaks a rule, which must not happen in a release.
    package struct Faulty: Error, CustomStringConvertible {
        let reject: Reject?

        package var description: String { "cannot import the sample catalog: \(reject.map(\.description) ?? "")" }
    }

    /// The platforms that the sample serves. On each of them, every section of the sample feeds has enough items.
    private static let servedPlatforms: Set = ["android", "ios", "ipados"]

    /// Returns the number of records that ``load(_:files:)`` would import.
    static func missingRecords(_ connection: PostgresConnection) async throws -> Int {
        guard try await Importer.vocabulary(PostgresSession(connection)).storefronts.isEmpty else { return 0 }
        return SQLFiles.sample.reduce(0) { $0 + $1.bytes.split(separator: UInt8(ascii: "\n")).count }
    }

    /// Imports the whole sample in one transaction if there is no storefront; nil if there is one.
    package static func load(
        _ connection: PostgresConnection, files: [[UInt8]] = SQLFiles.sample.map(\.bytes)
    ) async throws -> ImportCounts? {
        let session = PostgresSession(connection)
        var vocabulary = try await Importer.vocabulary(session)
        guard vocabulary.storefronts.isEmpty else { return nil }
        vocabulary.timeZones = try await Importer.timeZones(session)
        var files = files[...]
        var chunker = FileChunker(CatalogFileReader(.jsonl, vocabulary: vocabulary, digest: Digest.sha256), size: 10_000) {
            files.popFirst()?[...] ?? []
        }
        var options = ImportOptions()
        options.isAtomic = true
        options.maxRejects = 0
        var first: Reject?
        let importer = Importer(session, options, vocabulary: vocabulary) { event in
            if case .written(_, _, let rejects) = event { first = first ?? rejects.first?.first }
        } note: { _, _ in
            // In the transaction of the import. Nothing else says later whether the platforms are those of the sample.
            let store = VocabularyStore(session)
            for platform in try await store.platforms() where platform.isServed && !servedPlatforms.contains(platform.key) {
                _ = try await store.write(.platform(PlatformRecord(key: platform.key, runs: platform.runs, isServed: false)))
            }
        }
        do {
            let report = try await importer.run { try chunker.next() }
            try await importer.derive()
            return report.counts
        } catch is ImportFailure {
            throw Faulty(reject: first)
        }
    }
}
