import EmbeddedPostgres
import Foundation
import Host
import Postgres
import Settings

extension BenchmarkSuite {
    /// The importer as a process, against COPY of the same lines into tables without indexes: once as text, which is
    /// only stored, and once as JSON, which is parsed.
    static let `import` = BenchmarkSuite(name: "import", needs: [.psql]) { session in
        let cluster = try session.sharedCluster()
        let rounds = try GeneratedItems.with(cluster.url, count: count) { file in
            try (1...3).map { number in
                session.progress.show("\(count) items, round \(number) of 3")
                let name = "import_\(number)"
                let round = try ImportRound(file, cluster.database(name), session.progress)
                try cluster.drop(name)
                return round
            }
        }
        return try rows(rounds)
    }

    fileprivate static let count = GeneratedItems.count / 4

    private static func rows(_ rounds: [ImportRound]) throws -> [BenchmarkRow] {
        let (first, second) = try (BenchmarkRow.Figure.seconds(rounds.map(\.first)), BenchmarkRow.Figure.seconds(rounds.map(\.second)))
        let whole = try BenchmarkRow.Figure.seconds(rounds.map { $0.first + $0.derived })
        let asJSON = try ("\\copy as jsonb", BenchmarkRow.Figure.seconds(rounds.map(\.asJSON)))
        let asText = try ("\\copy as text", BenchmarkRow.Figure.seconds(rounds.map(\.asText)))
        let what = "import: \(count) items into an empty catalog"
        return try [
            BenchmarkRow(what: "\(what), committed", measured: first, against: asJSON, bar: .ratioAtLeast(0.4)),
            BenchmarkRow(what: "\(what), committed", measured: first, against: asText, bar: .ratioAtLeast(0.4)),
            BenchmarkRow(what: "\(what), in lists and searches", measured: whole, against: asJSON, bar: .ratioAtLeast(0.03)),
            BenchmarkRow(what: "\(what), in lists and searches", measured: whole, against: asText, bar: .ratioAtLeast(0.01)),
            BenchmarkRow(
                what: "import: the same file again", measured: second, against: ("the first time, committed", first), bar: .ratioAtLeast(10)
            ),
            BenchmarkRow(
                what: "import: the same file again", measured: second, against: ("the first time, in lists", whole), bar: .ratioAtLeast(10)),
            BenchmarkRow(
                what: "import: memory of the importer", measured: .init(rounds.map { Double($0.peak) / 1_048_576 }, unit: "MiB"),
                bar: .allAtMost(150)),
        ]
    }
}

/// The measurements of one file that is copied once and imported twice into an empty database.
private struct ImportRound {
    let asText: Duration
    let asJSON: Duration
    let first: Duration
    let derived: Duration
    let second: Duration
    /// The peak memory of the imports, in bytes.
    let peak: Int

    init(_ file: String, _ url: DatabaseURL, _ progress: ProgressLine) throws {
        let psql = PSQL(url: url.exposed)
        asText = try Self.bareCopy(of: file, as: "text", psql)
        asJSON = try Self.bareCopy(of: file, as: "jsonb", psql)
        let load = try CatalogLoad(file, of: BenchmarkSuite.count, url, progress)
        let again = try load.again(progress)
        (first, derived, second) = (load.run.time, load.indexed, again.time)
        peak = max(load.run.peak, again.peak)
    }

    private static func bareCopy(of file: String, as type: String, _ psql: PSQL) throws -> Duration {
        _ = try psql.time("CREATE TABLE bare (item \(type))")
        let time = try psql.time("\\copy bare from '\(file)' (FORMAT csv, QUOTE e'\\x01', DELIMITER e'\\x02')")
        _ = try psql.time("DROP TABLE bare")
        return time
    }
}
