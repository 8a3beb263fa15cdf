import CatalogImport
import CatalogSample
import SQLFiles
import TestDatabase
import TestSupport
import Testing

/// The project's own catalogs, imported by its own importer.
@Suite("The project's own catalogs", .databaseForEachTest) struct SampleImportTests {
    private static let sample = SQLFiles.sample.flatMap(\.bytes)

    private static func synthetic(_ count: Int, seed: UInt64) -> [UInt8] {
        let catalog = SyntheticCatalog(count: count, seed: seed)
        return catalog.preamble + catalog.flatMap { $0 } + catalog.charts
    }

    @Test("The sample and any synthetic catalog are parsed without a reject")
    func read() {
        #expect(ReadFile(Self.sample, vocabulary: Vocabulary()).rejects == [])
        let seed = Seeds.fresh >> 1
        #expect(ReadFile(Self.synthetic(2_000, seed: seed), vocabulary: Vocabulary()).rejects == [], "seed \(seed)")
    }

    @Test("The sample and a synthetic catalog are imported into one database without a reject")
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
