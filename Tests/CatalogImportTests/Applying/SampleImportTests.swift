import CatalogImport
import CatalogSample
import SQLFiles
import TestDatabase
import TestSupport
import Testing

/// What this project writes itself, held against its own importer.
@Suite("A catalog of our own", .databaseForEachTest) struct SampleImportTests {
    private static let sample = SQLFiles.sample.flatMap(\.bytes)

    private static func synthetic(_ count: Int, seed: UInt64) -> [UInt8] {
        let catalog = SyntheticCatalog(count: count, seed: seed)
        return catalog.preamble + catalog.flatMap { $0 } + catalog.charts
    }

    @Test("is read without a reject, the sample and any synthetic one")
    func read() {
        #expect(ReadFile(Self.sample, vocabulary: Vocabulary()).rejects == [])
        let seed = Seeds.fresh >> 1
        #expect(ReadFile(Self.synthetic(2_000, seed: seed), vocabulary: Vocabulary()).rejects == [], "seed \(seed)")
    }

    @Test("is imported without a reject, the sample and a synthetic one into the same database")
    func imported() async throws {
        let seed = Seeds.fresh >> 1
        var settings = DrawnSettings(seed: seed)
        let chunk = settings.draw("chunk", default: 10_000, or: [1, 7, 50])
        try await withConnection { [settings] connection in
            let catalog = Catalog(connection: connection)
            let sample = try await catalog.load(String(decoding: Self.sample, as: UTF8.self), chunk: chunk)
            #expect(sample.rejects == [] && sample.report?.counts.new == 6 + 18 + 200 + 24, "\(settings)")
            #expect(
                try await catalog.text("SELECT count(*) || ' ' || count(DISTINCT chart) FROM charts, LATERAL (SELECT name AS chart) AS c")
                    == "24 4")
            let synthetic = try await catalog.load(String(decoding: Self.synthetic(300, seed: seed), as: UTF8.self), chunk: chunk)
            #expect(synthetic.rejects == [] && synthetic.report?.counts.new == 300, "\(settings)")
        }
    }
}
