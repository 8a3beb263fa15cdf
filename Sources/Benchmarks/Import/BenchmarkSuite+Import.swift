import Foundation
import Host
import Postgres
import PrivatePostgres
import Settings

extension BenchmarkSuite {
    /// The importer as a process, against bare copies of the same lines into tables without an index: of text, which only has to be stored, and
    /// of JSON, which has to be understood.
    static let `import` = BenchmarkSuite(name: "import") {
        try BenchmarkCluster.run { url in try GeneratedItems.with(url) { file in try rows(file, url) } }
    }

    private static func rows(_ file: String, _ url: DatabaseURL) throws -> [BenchmarkRow] {
        let psql = PSQL(url: url.exposed)
        try BuiltProgram(["db", "migrate"], url: url).run()
        let asText = try bareCopy(of: file, as: "text", psql)
        let asJSON = try bareCopy(of: file, as: "jsonb", psql)
        let first = try BuiltProgram(["db", "load", "--leave-listing", file], url: url).run()
        let derived = try psql.time("DO $$ BEGIN WHILE vitrine.derive_items(5000) > 0 LOOP COMMIT; END LOOP; END $$").figure
        let second = try BuiltProgram(["db", "load", file], url: url).run()
        guard let new = first.output.split(separator: " ").first, second.output.contains(" \(new) unchanged") else {
            throw BenchmarkDisagreement(what: "\(first.output), then \(second.output)")
        }
        let whole = BenchmarkRow.Figure(value: first.time.value + derived.value, unit: "s")
        return [
            BenchmarkRow(
                what: "import: \(GeneratedItems.count) items into an empty catalog, committed", measured: first.time,
                against: ("\\copy as jsonb", asJSON.figure), bar: .ratioAtLeast(0.4)),
            BenchmarkRow(
                what: "import: the same", measured: first.time, against: ("\\copy as text", asText.figure), bar: .ratioAtLeast(0.4)),
            BenchmarkRow(
                what: "import: the same, in lists and searches", measured: whole, against: ("\\copy as jsonb", asJSON.figure),
                bar: .ratioAtLeast(0.03)),
            BenchmarkRow(
                what: "import: the same, in lists and searches", measured: whole, against: ("\\copy as text", asText.figure),
                bar: .ratioAtLeast(0.01)),
            BenchmarkRow(
                what: "import: the same file again", measured: second.time, against: ("the first time, committed", first.time),
                bar: .ratioAtLeast(3)),
            BenchmarkRow(
                what: "import: the same file again", measured: second.time, against: ("the first time, in lists", whole),
                bar: .ratioAtLeast(3)),
            BenchmarkRow(
                what: "import: memory of the importer",
                measured: .init(value: Double(max(first.peak, second.peak)) / 1_048_576, unit: "MiB"),
                bar: .atMost(150)),
        ]
    }

    private static func bareCopy(of file: String, as type: String, _ psql: PSQL) throws -> Duration {
        _ = try psql.time("CREATE TABLE bare (item \(type))")
        let time = try psql.time("\\copy bare from '\(file)' (FORMAT csv, QUOTE e'\\x01', DELIMITER e'\\x02')")
        _ = try psql.time("DROP TABLE bare")
        return time
    }
}
