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
                let round = try ImportRound(file, cluster.database(name))
                try cluster.drop(name)
                return round
            }
        }
        return try rows(rounds)
    }

    private static let count = GeneratedItems.count / 4

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
                what: "import: \(count) items, of which one is changed", measured: try .seconds(rounds.map(\.changed)), bar: .allAtMost(3)),
            BenchmarkRow(
                what: "import: memory of the importer", measured: .init(rounds.map { Double($0.peak) / 1_048_576 }, unit: "MiB"),
                bar: .allAtMost(150)),
        ]
    }
}

/// The measurements of one file that is copied once and imported twice into an empty database, and then with one change.
private struct ImportRound {
    let asText: Duration
    let asJSON: Duration
    let first: Duration
    let derived: Duration
    let second: Duration
    let changed: Duration
    /// The peak memory of the imports, in bytes.
    let peak: Int

    init(_ file: String, _ url: DatabaseURL) throws {
        let psql = PSQL(url: url.exposed)
        try BuiltProgram(["db", "migrate"], url: url).run()
        asText = try Self.bareCopy(of: file, as: "text", psql)
        asJSON = try Self.bareCopy(of: file, as: "jsonb", psql)
        let first = try BuiltProgram(["db", "load", "--no-wait", file], url: url).run()
        derived = try psql.time("DO $$ BEGIN WHILE vitrine.derive_items(5000) > 0 LOOP COMMIT; END LOOP; END $$")
        let second = try BuiltProgram(["db", "load", file], url: url).run()
        guard let new = first.output.split(separator: " ").first, second.output.contains(" \(new) unchanged") else {
            throw BenchmarkDisagreement(what: "\(first.output), then \(second.output)")
        }
        let edited = "\(file).edited"
        defer { do { try FileManager.default.removeItem(atPath: edited) } catch { print("\(edited) was not removed: \(error)") } }
        try Self.changeOneItem(of: file, to: edited)
        let changed = try BuiltProgram(["db", "load", edited], url: url).run()
        guard changed.output.contains(" 1 updated") else { throw BenchmarkDisagreement(what: changed.output) }
        (self.first, self.second, self.changed) = (first.time, second.time, changed.time)
        peak = max(first.peak, second.peak, changed.peak)
    }

    /// Copies the file with another release date of an item in its middle.
    private static func changeOneItem(of file: String, to edited: String) throws {
        var bytes = try Data(contentsOf: URL(filePath: file))
        let field = Data("\"releaseDate\":\"".utf8)
        guard let start = bytes.range(of: field, in: bytes.count / 2..<bytes.count)?.upperBound else {
            throw BenchmarkDisagreement(what: "\(file) has no release date")
        }
        bytes.replaceSubrange(start..<start + 10, with: Data("1999-12-31".utf8))
        try bytes.write(to: URL(filePath: edited))
    }

    private static func bareCopy(of file: String, as type: String, _ psql: PSQL) throws -> Duration {
        _ = try psql.time("CREATE TABLE bare (item \(type))")
        let time = try psql.time("\\copy bare from '\(file)' (FORMAT csv, QUOTE e'\\x01', DELIMITER e'\\x02')")
        _ = try psql.time("DROP TABLE bare")
        return time
    }
}
